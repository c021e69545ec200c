/** A file as text, which the build puts in its place. */
declare module "*.sql?raw" {
  const text: string;
  export default text;
}
