"""The little CSS that Streamlit's theme does not cover; colours follow the theme, light and dark."""

CSS = """<style>
mark { background: color-mix(in srgb, #f5b301 38%, transparent); color: inherit;
  padding: .08em .1em; border-radius: .2em; }
.cw-cite { text-decoration: none; font-size: .82em; font-weight: 600; padding: 0 .12em; border-radius: .3em; }
.cw-cite:hover, .cw-cite:focus-visible { text-decoration: underline; }
[data-testid="stMarkdownContainer"] p:has(.cw-quote), .cw-table th { position: relative; }
.cw-quote { display: none; position: absolute; left: 0; margin-top: 1.6em; z-index: 1000; width: max-content;
  max-width: 100%; padding: .5rem .7rem; border-radius: .5rem; font-weight: 400; font-size: .85rem;
  line-height: 1.4; text-align: left; white-space: normal; color: #1d1d24; background: #fff6d8;
  border: 1px solid #d9b23f; box-shadow: 0 4px 16px rgb(0 0 0 / .25); }
.cw-cite:hover .cw-quote, .cw-cite:focus-visible .cw-quote { display: block; }
.cw-table { overflow-x: auto; margin-bottom: .5rem; }
.cw-table table { border-collapse: collapse; width: 100%; min-width: 30rem; font-size: .92rem; }
.cw-table th, .cw-table td { border: 1px solid color-mix(in srgb, currentColor 22%, transparent); padding: .5rem .6rem;
  vertical-align: top; text-align: left; }
.cw-table tbody th { font-weight: 600; min-width: 6rem; }
.cw-none { font-style: italic; opacity: .8; }
.cw-hidden { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
.cw-anchor { scroll-margin-top: 5rem; }
[data-testid="stChatMessage"] { scroll-margin-top: 4rem; }
.cw-facts { opacity: .85; }
.cw-badge { opacity: .85; white-space: nowrap; }
.cw-unsupported { text-decoration: line-through; text-decoration-thickness: from-font; opacity: .75; }
div[class*="st-key-card-"]:has(.cw-anchor:target) { outline: 2px solid #f5b301; }
</style>"""
