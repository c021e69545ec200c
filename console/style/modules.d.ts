/** Vite puts styles into the page. */
declare module "*.css" {}
