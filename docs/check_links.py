"""Check a built site: every link inside it leads somewhere, and no page loads anything from elsewhere.

`python docs/check_links.py build/site`
"""

from __future__ import annotations

import sys
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

_LOADED = {"img": "src", "script": "src", "link": "href", "iframe": "src", "source": "src"}


class Page(HTMLParser):
    """What a page links to, what it loads, and where it can be linked to."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.links: set[str] = set()
        self.loads: set[str] = set()
        self.ids: set[str] = set()
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note links, loaded files and ids."""
        found = {name: value for name, value in attrs if value}
        self.ids |= {found[name] for name in ("id", "name") if name in found}
        if tag == "a" and "href" in found:
            self.links.add(found["href"])
        elif tag in _LOADED and _LOADED[tag] in found and found.get("rel") != "canonical":
            self.loads.add(found[_LOADED[tag]])


def broken(site: Path) -> list[str]:
    """What is wrong with the links of a site, a sentence each."""
    files = [path for path in sorted(site.rglob("*.html")) if "_static" not in path.relative_to(site).parts]
    pages = {path: Page(path.read_text(encoding="utf-8")) for path in files}
    wrong = []
    for path, page in pages.items():
        here = path.relative_to(site)
        wrong += [f"{here} loads {url} from elsewhere." for url in sorted(page.loads) if urlsplit(url).netloc]
        for url in sorted(page.links | page.loads):
            parts = urlsplit(url)
            if parts.scheme or parts.netloc:
                continue
            target = (path.parent / unquote(parts.path)).resolve() if parts.path else path
            if target.is_dir():
                target /= "index.html"
            if not target.exists():
                wrong.append(f"{here} links to {url}, which is not there.")
            elif parts.fragment and target in pages and unquote(parts.fragment) not in pages[target].ids:
                wrong.append(f"{here} links to {url}, but there is no such place on that page.")
    return wrong


def main() -> None:
    """Print what is wrong and fail, or say how many pages are right."""
    (folder,) = sys.argv[1:]
    site = Path(folder).resolve()
    wrong = broken(site)
    print("\n".join(wrong) or f"All links inside the {len(list(site.rglob('*.html')))} pages lead somewhere.")
    sys.exit(bool(wrong))


if __name__ == "__main__":
    main()
