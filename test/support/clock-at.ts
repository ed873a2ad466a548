/** Preloaded into a process (`node --import`), this makes its wall clock begin at CLOCK_AT, in milliseconds since 1970. */
const { CLOCK_AT = "0" } = process.env;
const real = Date.now;
const begun = real();

Date.now = () => Number(CLOCK_AT) + (real() - begun);
