/** The page with its script and its style inside. `vite build console` writes the module. */
export const html: string;
/** Another one for every other page. */
export const version: string;
/** What allows the script in a content security policy, such as `'sha256-…'`. */
export const scriptHash: string;
/** What allows the style in a content security policy. */
export const styleHash: string;
