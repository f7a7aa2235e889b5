export const title = document.title;
//! TS2584 1:22-1:30 There is no `document` here: programs do not run in a browser.
