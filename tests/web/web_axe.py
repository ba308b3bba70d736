"""What axe finds on a page: the faults that keep people with other eyes or hands from using it."""

from __future__ import annotations

from pathlib import Path

from playwright.sync_api import Page

AXE = Path(__file__).parents[2] / "node_modules" / "axe-core" / "axe.min.js"
SERIOUS = ("serious", "critical")
RUN = """async () => (await axe.run(document, { resultTypes: ["violations"] })).violations.map((one) => ({
    id: one.id, impact: one.impact, nodes: one.nodes.slice(0, 3).map((node) => node.html.slice(0, 120)),
}))"""


def serious(page: Page) -> list[str]:
    """The serious and critical faults of a page as it is now."""
    if not page.evaluate("() => 'axe' in window"):
        page.evaluate(AXE.read_text("utf-8"))
    return [f"{one['id']}: {one['nodes']}" for one in page.evaluate(RUN) if one["impact"] in SERIOUS]
