"""The little CSS that Streamlit's theme does not cover, colours following the theme, and a few lines of script."""

import streamlit as st

CSS = """<style>
mark { background: color-mix(in srgb, #f5b301 38%, transparent); color: inherit;
  padding: .08em .1em; border-radius: .2em; }
.cw-cite { text-decoration: none; font-size: .82em; font-weight: 600; padding: 0 .12em; border-radius: .3em; }
.cw-cite:hover, .cw-cite:focus-visible { text-decoration: underline; }
[data-testid="stMarkdownContainer"] :is(p, li):has(.cw-quote) { position: relative; }
.cw-quote { display: none; position: absolute; left: 0; margin-top: 1.6em; z-index: 1000; width: max-content;
  max-width: 100%; padding: .5rem .7rem; border-radius: .5rem; font-weight: 400; font-size: .85rem;
  line-height: 1.4; text-align: left; white-space: normal; color: #1d1d24; background: #fff6d8;
  border: 1px solid #d9b23f; box-shadow: 0 4px 16px rgb(0 0 0 / .25); }
.cw-cite:hover .cw-quote, .cw-cite:focus-visible .cw-quote { display: block; }
div[class*="st-key-table-"], div[class*="st-key-trace-"] { overflow-x: auto; margin-bottom: .5rem; }
div[class*="st-key-table-"] table { min-width: 34rem; font-size: .92rem; }
div[class*="st-key-trace-"] table { min-width: 44rem; font-size: .82rem; }
div[class*="st-key-table-"] :is(th, td), div[class*="st-key-trace-"] :is(th, td) { vertical-align: top;
  text-align: left; position: relative; }
div[class*="st-key-table-"] td:first-child { min-width: 7rem; }
[data-testid="stMain"]:has(.cw-reading) [data-testid="stMainBlockContainer"],
[data-testid="stMain"]:has(.cw-reading) [data-testid="stBottomBlockContainer"] { max-width: 56rem; }
[data-testid="stMain"]:has(.cw-full) [data-testid="stMainBlockContainer"] { max-width: 90rem; }
[data-testid="stElementContainer"]:has(> .stHtml > .cw-page) { display: none; }
.cw-copy { font: inherit; font-size: .82rem; color: inherit; background: none; padding: .15rem .5rem; cursor: pointer;
  border: 1px solid color-mix(in srgb, currentColor 25%, transparent); border-radius: .5rem; }
.cw-copy:hover, .cw-copy:focus-visible { border-color: currentColor; }
[data-testid="stMainBlockContainer"] { padding-top: 3.5rem; }
div[class*="st-key-row-"], div[class*="st-key-pick"] { gap: .1rem; }
div[class*="st-key-row-"] button, div[class*="st-key-pick"] button { min-height: 0; padding: .1rem 0; text-align: left;
  justify-content: flex-start; }
.cw-none { font-style: italic; opacity: .8; }
[data-testid="stCaptionContainer"], [data-testid="stCaptionContainer"] * { color: inherit !important; }
[data-testid="stCaptionContainer"] { opacity: .84; }
div.st-key-all-settings table { width: 100%; overflow-wrap: anywhere; word-break: break-word; }
.js-plotly-plot .annotation .bg { fill: light-dark(#fff, #15151a) !important; fill-opacity: .78 !important; }
.js-plotly-plot .annotation text { fill: light-dark(#1d1d24, #f2f2f5) !important; }
@media (max-width: 44rem) {
  .js-plotly-plot .annotation, [data-testid^="stChatMessageAvatar"] { display: none; }
}
div[class*="st-key-chat-"] button { padding-inline: .6rem; }
div[class*="st-key-chat-"] button :is(div, span) { justify-content: flex-start; text-align: left; width: 100%; }
div.st-key-paper-text { max-width: 60rem; }
[data-testid="stMultiSelectTagsContainer"] span:has(> span[title]) { color: inherit !important;
  background: color-mix(in srgb, currentColor 14%, transparent) !important; }
[data-testid="stMultiSelectTagsContainer"] span[title] { color: inherit !important; }
.cw-hidden { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
[data-testid="stLayoutWrapper"]:has(> div[class*="st-key-turn-"]):not(:has(~ * > div[class*="st-key-turn-"])) {
  min-height: calc(100dvh - 13rem); }
[data-testid="stLayoutWrapper"]:has(> div[class*="st-key-turn-"]):has(~ * > div[class*="st-key-turn-"])
  [data-testid="stLayoutWrapper"]:has(> .st-key-suggestions) { display: none; }
div[class*="st-key-turn-"] > [data-testid="stElementContainer"] { position: absolute; }
.cw-anchor { scroll-margin-top: 5rem; }
[data-testid="stChatMessage"] { scroll-margin-top: 4rem; }
.cw-facts { opacity: .85; }
.cw-badge { opacity: .85; white-space: nowrap; }
.cw-unsupported { text-decoration: line-through; text-decoration-thickness: from-font; opacity: .75; }
div[class*="st-key-card-"]:has(.cw-anchor:target) { outline: 2px solid #f5b301; }
</style>"""

# One listener for the whole page: buttons that copy, and a search box that searches while one types.
SCRIPT = """<script>
(() => {
  if (window.citewellListens) return;
  window.citewellListens = true;
  document.addEventListener("click", async (event) => {
    const button = event.target.closest(".cw-copy");
    if (!button || !button.dataset.copy) return;
    const name = button.dataset.name || button.textContent;
    button.dataset.name = name;
    try {
      await navigator.clipboard.writeText(button.dataset.copy);
      button.textContent = "Copied";
    } catch {
      button.textContent = "Copying is not allowed here";
    }
    setTimeout(() => (button.textContent = name), 1500);
  });
  document.addEventListener("click", (event) => {
    const button = event.target.closest(".cw-theme");
    if (!button) return;
    // Streamlit keeps the theme for each page's address.
    for (const path of ["/", "/chat", "/library", "/compare", "/map", "/settings"])
      localStorage.setItem(`stActiveTheme-${path}-v2`, JSON.stringify(button.dataset.theme));
    location.reload();
  });
  // The first key is searched for at once, the next ones of fast typing together.
  let waiting = 0, searched = 0;
  document.addEventListener("input", (event) => {
    if (!event.target.closest("[class*=st-key-instant-]")) return;
    clearTimeout(waiting);
    const box = event.target;
    waiting = setTimeout(() => {
      searched = performance.now();
      box.dispatchEvent(new KeyboardEvent("keydown", {key: "Enter", code: "Enter", keyCode: 13, bubbles: true}));
    }, performance.now() - searched > 300 ? 0 : 100);
  });
})();
</script>"""


def scroll_to_turn(turn: int) -> None:
    """Bring a question to the top of the page, and the cursor back to the input once it takes text again.

    The place is held for a moment, while turns above it are still being drawn, unless the reader scrolls. On a touch
    screen the keyboard stays away.
    """
    script = f"""<script>
    (() => {{
        const began = performance.now();
        let free = false;
        for (const kind of ["wheel", "touchstart", "keydown", "pointerdown"])
            window.addEventListener(kind, () => (free = true), {{once: true, passive: true}});
        const hold = () => {{
            const message = document.getElementById("turn-{turn}")?.closest("[data-testid=stChatMessage]");
            if (message && !free) message.scrollIntoView({{block: "start"}});
            if (!free && performance.now() - began < 1200) setTimeout(hold, 50);
        }};
        const focus = () => {{
            const box = document.querySelector("[data-testid=stChatInputTextArea]");
            if (!matchMedia("(pointer: fine)").matches || performance.now() - began > 600000) return;
            if (!box || box.disabled) return setTimeout(focus, 100);
            if (document.activeElement === document.body) box.focus({{preventScroll: true}});
        }};
        hold();
        setTimeout(focus, 100);
    }})();
    </script>"""
    st.html(script, unsafe_allow_javascript=True)
