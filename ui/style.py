"""The little CSS that Streamlit's theme does not cover; colours follow the theme, light and dark."""

CSS = """<style>
mark { background: color-mix(in srgb, #f5b301 38%, transparent); color: inherit;
  padding: .08em .1em; border-radius: .2em; }
.cw-cite { text-decoration: none; font-size: .82em; font-weight: 600; padding: 0 .12em; border-radius: .3em; }
.cw-cite:hover, .cw-cite:focus-visible { text-decoration: underline; }
.cw-anchor { scroll-margin-top: 5rem; }
[data-testid="stChatMessage"] { scroll-margin-top: 4rem; }
.cw-facts { opacity: .85; }
.cw-badge { opacity: .85; white-space: nowrap; }
.cw-unsupported { text-decoration: line-through; text-decoration-thickness: from-font; opacity: .75; }
div[class*="st-key-card-"]:has(.cw-anchor:target) { outline: 2px solid #f5b301; }
</style>"""
