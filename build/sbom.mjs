// Writes dist/sbom.cdx.json: what npm says of the packages that are in the bundles, and of those that come along.
import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";

const bundles = ["cli", "console", "openapi"];
const development = "cdx:npm:package:development";

/** The packages of a bundle, as its licences name them. */
function bundledIn(bundle) {
  const licenses = readFileSync(`dist/adapters/${bundle}/LICENSES.txt`, "utf8").split(`\n${"-".repeat(80)}\n\n`);
  return licenses.flatMap((text) => {
    const [, name, version] = /^(\S+) (\S+) \(.+\)\n/.exec(text) ?? [];
    return name === undefined ? [] : [`${name}@${version}`];
  });
}

const args = ["sbom", "--sbom-format", "cyclonedx", "--package-lock-only"];
const {
  serialNumber: _,
  metadata,
  components,
  dependencies,
  ...document
} = JSON.parse(execFileSync("npm", args, { encoding: "utf8", maxBuffer: 1 << 26 }));
const bundled = new Set(bundles.flatMap(bundledIn));
// What only a peer may bring, such as typescript, is there because im-admin's own developers need it.
const { devDependencies } = JSON.parse(readFileSync("package.json", "utf8"));
const isDevelopment = ({ name, properties }) =>
  name in devDependencies || properties.some((property) => property.name === development);
const kept = components
  .filter((component) => bundled.has(component["bom-ref"]) || !isDevelopment(component))
  .map((component) =>
    bundled.has(component["bom-ref"])
      ? { ...component, properties: [{ name: "cdx:npm:package:bundled", value: "true" }] }
      : component,
  );
const references = new Set([metadata.component["bom-ref"], ...kept.map((component) => component["bom-ref"])]);
const missing = [...bundled].filter((reference) => !references.has(reference));
if (missing.length > 0) throw new Error(`the lockfile lacks ${missing.join(", ")}, which are in a bundle: run npm ci`);

const content = {
  ...document,
  // The same sources make the same file: it has no time and no random number.
  metadata: {
    lifecycles: [{ phase: "build" }],
    tools: metadata.tools,
    component: { ...metadata.component, name: "im-admin" },
  },
  components: kept,
  dependencies: dependencies
    .filter(({ ref }) => references.has(ref))
    .map(({ ref, dependsOn }) => ({ ref, dependsOn: dependsOn.filter((other) => references.has(other)) })),
};
writeFileSync("dist/sbom.cdx.json", `${JSON.stringify(content, null, 1)}\n`);
