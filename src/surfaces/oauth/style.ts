import { raw } from "hono/html";

/** The colours have a contrast of 4.5:1 at least in both schemes (WCAG 2.2, 1.4.3), and 3:1 for edges of controls (1.4.11). */
export const STYLE = raw(`
:root { color-scheme: light dark;
  --text: light-dark(#1c1f24, #e8eaed); --muted: light-dark(#555b66, #a6adb8); --page: light-dark(#f4f5f7, #16181c);
  --card: light-dark(#fff, #1f2227); --edge: light-dark(#7b828e, #7d8591); --accent: light-dark(#1f4fbf, #9dbcff);
  --on-accent: light-dark(#fff, #10182b); --error: light-dark(#a3151f, #ff9a9f); --line: light-dark(#dcdfe4, #363a42); }
* { box-sizing: border-box; }
body { margin: 0; padding: 1rem; min-height: 100vh; display: grid; place-items: center; grid-template-columns: minmax(0, 1fr);
  font: 1rem/1.5 system-ui, sans-serif; color: var(--text); background: var(--page); }
main { width: min(30rem, 100%); padding: 1.5rem; background: var(--card); border: 1px solid var(--line);
  border-radius: .75rem; overflow-wrap: anywhere; }
h1 { margin: 0 0 1rem; font-size: 1.35rem; line-height: 1.3; }
dl { margin: 0 0 1rem; display: grid; gap: .1rem .75rem; }
dt { color: var(--muted); font-size: .875rem; }
dd { margin: 0 0 .5rem; }
label { display: block; font-weight: 600; }
input { width: 100%; margin-top: .35rem; padding: .6rem .7rem; font: inherit; color: inherit; background: transparent;
  border: 1px solid var(--edge); border-radius: .4rem; }
input[aria-invalid] { border-color: var(--error); }
.hint { margin: .35rem 0 0; color: var(--muted); font-size: .875rem; }
.notice { margin: 0 0 1rem; padding: .6rem .8rem; border-left: 3px solid var(--edge); background: var(--page); }
.notice p { margin: 0; }
.error { border-color: var(--error); color: var(--error); }
pre { margin: .6rem 0 0; overflow-x: auto; color: var(--text); font-size: .8125rem; overflow-wrap: normal; }
.actions { display: flex; flex-wrap: wrap; gap: .6rem; margin-top: 1.25rem; }
button { flex: 1 1 9rem; padding: .65rem 1rem; font: inherit; font-weight: 600; cursor: pointer; border-radius: .4rem;
  color: var(--on-accent); background: var(--accent); border: 1px solid var(--accent); }
button.quiet { color: var(--text); background: transparent; border-color: var(--edge); }
a { color: var(--accent); }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
`);
