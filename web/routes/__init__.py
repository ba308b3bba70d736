"""The routes, one module per subject."""

from __future__ import annotations

from web.routes.box import box
from web.routes.care import care
from web.routes.game import game
from web.routes.hints import hints
from web.routes.host import host
from web.routes.invite import invite
from web.routes.lessons import lessons
from web.routes.overview import overview
from web.routes.pages import pages
from web.routes.programs import programs, v1
from web.routes.seats import seats
from web.routes.story import story
from web.routes.virtual import virtual
from web.routes.workshop import workshop

SUBJECTS = (
    pages,
    game,
    seats,
    hints,
    lessons,
    host,
    story,
    invite,
    workshop,
    box,
    care,
    virtual,
    overview,
    programs,
    v1,
)
"""Every subject that the app serves; a new one is added here."""
UPLOADS = {route.path: route.upload for routes in SUBJECTS for route in routes.table if route.upload}
"""The paths that take a file, each with its media type."""
