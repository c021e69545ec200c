/** A file as text. The build inserts it. */
declare module "*.sql?raw" {
  const text: string;
  export default text;
}
