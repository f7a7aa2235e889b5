const settings = { retries: 3 };
export const n = settings.;
//! TS1003 2:27-2:28 A name was expected here, found `;`.
