/** The one stylesheet. */

/** CSS. */
export const STYLE = "";
