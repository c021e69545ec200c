/** The page with its script and its style inside. `vite build console` writes the module. */
export const html: string;
/** A version that differs for each different page. */
export const version: string;
/** The hash of the script for a content security policy, such as `'sha256-…'`. */
export const scriptHash: string;
/** The hash of the style for a content security policy. */
export const styleHash: string;
