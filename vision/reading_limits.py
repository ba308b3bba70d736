"""The thresholds of `vision.read`, in one place, each with what it was set by.

*Held-out styles* are painted publishers that neither the network nor the confidence was fitted on
(`python -m vision.measure`). *Played through pixels* means the games that `gloam trust` plays at the virtual
table; the game named is the one that called for the threshold. *No record* means tuned on painted styles
without a figure being written down: measure before changing it. Areas of standing pieces are shares of the
area of one foot; likeness is a cosine between codes, at most 1.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class ReadingLimits:
    """What reading a place is decided by."""

    # The first look -----------------------------------------------------------------------------------

    expected_bonus: float = 0.08
    """Added to the score of the face that the rules expect. No record."""
    first_look_likeness: float = 0.85
    first_look_margin: float = 0.35
    """A first look this like one face, and this far ahead of the second, needs no closer one. No record."""
    refined_likeness: float = 0.93
    """Nor does a look this like a face, whatever the second: pixels tell them apart. No record."""
    hopeless_likeness: float = 0.6
    """A place less like every face than this, however it was shifted and turned, is not looked at finer.
    No record."""
    bare_likeness: float = 0.35
    bare_score: float = 2.0
    """Nor does a place that is less like every face than this and looks this bare. No record."""
    unlike_any_face: float = 0.6
    """A place less like every taught face than this may be bare. No record."""
    trimmed_gain: float = 1.05
    """How much better taught pictures must fit without their rim to be used without it. No record."""
    unsure_retries: int = 3
    """How often a place that stays unsure and does not change is read. No record."""
    changed_mean: float = 3.0
    changed_patch: float = 14.0
    changed_spot: float = 18.0
    """A place has changed if its coarse picture differs by this many grey levels of 255: on average, at a
    twentieth of its spots, or at two of them. The last is for small signs (played through pixels)."""

    # Why a place is unsure ----------------------------------------------------------------------------

    dark: float = 28.0
    """A place is too dark if nine tenths of it are below this grey level of 255. No record."""
    glaring: float = 248.0
    glare_share: float = 0.06
    """A lamp glares where more than this share of a place is brighter than this in all colours. No record."""
    explained: float = 0.5
    """Where all that is named is less likely than this, something lies there that was not taught, or covers
    it. No record."""

    # Bare places --------------------------------------------------------------------------------------

    expected_bare: float = 3.0
    """Added to the logarithm of the odds that a place is bare which was never seen bare, where the rules
    expect nothing: of twenty such places at most one holds something. No record."""
    taught_bare_gain: float = 30.0
    """How steeply bareness grows with likeness to a bare place that was taught. No record."""

    # Answers that are close to each other -------------------------------------------------------------

    close_score: float = 0.2
    max_rivals: int = 4
    """Answers within this score of the best, at most this many, are discriminated by pixels. No record."""
    compare_likeness: float = 0.5
    """No answer is, where the best is less like the place than this. No record."""
    hidden_penalty: float = 0.3
    """How much the discrimination loses where all of the place is hidden: the difference may be there.
    No record."""
    overruled_factor: float = 0.8
    """How much of the discrimination counts where it speaks against the better score. No record."""
    right_models: tuple[tuple[float, float], ...] = ((16.0, 0.42), (30.0, 0.6), (20.0, 0.4), (2.5, -4.0))
    """Logistic models (steepness, half-way point) of discrimination, likeness, agreement and likeness in
    colour: how likely the best answer is right. The few errors on held-out styles were all of faces that are
    almost alike, or had a likeness below 0.6 (glare, something in the way), so each of the four can make a
    reading unsure alone. That of colour was set by pieces that were read rightly (`vision.colours`)."""
    linked_margin: float = 0.2
    """A face must be this far ahead of the second for its colours to be believed. No record."""
    sure_nothing_stands: float = 0.85
    """The confidence that is enough where nothing stands on the face; elsewhere the fitted `Model.sure`.
    Lower, for the confidence understates what is true there."""

    # Tokens on a larger face --------------------------------------------------------------------------

    base_ratio: float = 1.15
    """A piece can lie on a face this many times as wide. No record."""
    token_likeness: float = 0.25
    token_fill: float = 0.35
    """A token must be this like a taught one, and this share of its spot unexplained by the face below.
    Played through pixels: tokens on the cards of The Dark Cave."""
    token_likeness_without_face: float = 0.5
    """The same where hardly any face shows around it: a web beside a dwarf in The Dark Cave."""
    token_likeness_coloured: float = 0.42
    whole_standing_area: float = 0.75
    """A token this like a taught one may have a standing piece's colour if less than this area of that piece
    is seen: nuggets and yellow dwarves in The Dark Cave."""
    standing_overlap: float = 0.3
    """A standing piece may be where a token is looked for if this share of its trace lies there."""
    token_confidence_near_standing: float = 0.5
    token_confidence: float = 0.15
    """How surely a token must be read to be believed: where a standing piece may be, and elsewhere. Played
    through pixels: figures of The Dark Cave taken for webs, a dwarf in pale light."""
    doubtful_token: float = 0.4
    """The probability of a token that is like a taught one but cannot be read surely. No record."""

    # Standing pieces ----------------------------------------------------------------------------------

    upright_width: float = 0.6
    """A figure narrower than this share of the widest place stands on faces; a wider one is read as a face.
    No record."""
    trace_area: float = 0.2
    unexplained_area: float = 0.4
    """The area of a standing piece's colour, and of anything unexplained, that is hidden before the face
    below is read. No record."""
    unknown_area: float = 1.0
    """The unexplained area of no taught colour that makes a bare place unsure. No record."""
    max_hidden_share: float = 0.45
    """A trace larger than this share of the place hides nothing: then the face is mistaken. No record."""
    count_model: tuple[float, float] = (-13.0, 20.0)
    """Logistic model: how likely one more piece of a kind is there, by how well it fills what has its colour.
    Played through pixels: several dwarves on one card of The Dark Cave."""
    outline_spread: float = 0.5
    """How much the length of patches of one kind varies, in widths. No record."""
    least_chance: float = 0.002
    """A standing piece, or a set of them, that is less likely is not considered. No record."""
    max_standing_sets: int = 4
    """How many sets of standing pieces are named for one place."""

    # Sizes --------------------------------------------------------------------------------------------

    roomy_share: float = 0.7
    """A place is roomy if all that can lie on it is smaller than this share of it. No record."""
    fit_slack: float = 1.15
    """A piece this many times as large as a place can still be on it. No record."""
    tiny_share: float = 0.12
    close_up_width: float = 2.2
    """A standing piece smaller than this share of the place is looked at closer, this many widths around.
    No record."""
    lean_width: float = 0.6
    """How much more than a roomy place is looked at, in widths of a standing piece, which may lean over its
    edge. No record."""


LIMITS = ReadingLimits()
