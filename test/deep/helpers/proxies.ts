import { type ChildProcess, spawn } from "node:child_process";
import { writeFileSync } from "node:fs";

/** Starts nginx with a server of a page, without its certificate. */
export function runNginx(folder: string, port: number, page: string): ChildProcess {
  const server = page.replace("listen 443 ssl", `listen 127.0.0.1:${port}`).replace(/^ *ssl_.*\n/gm, "");
  const paths = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map(
    (name) => `${name}_temp_path ${folder}/${name};`,
  );
  writeFileSync(
    `${folder}/nginx.conf`,
    `daemon off; pid ${folder}/pid; error_log ${folder}/error.log; events {}
    http { access_log off; ${paths.join(" ")} ${server} }`,
  );
  return spawn("/usr/sbin/nginx", ["-c", `${folder}/nginx.conf`, "-e", `${folder}/error.log`], { stdio: "inherit" });
}

/** Starts Caddy with a site of a page, which has its address already. */
export function runCaddy(folder: string, site: string): ChildProcess {
  writeFileSync(`${folder}/Caddyfile`, `{\n  admin off\n  default_bind 127.0.0.1\n}\n${site}`);
  const env = { ...process.env, HOME: folder };
  return spawn("/usr/bin/caddy", ["run", "--config", `${folder}/Caddyfile`], { env, stdio: "ignore" });
}

/** Starts HAProxy with a whole configuration. */
export function runHaproxy(folder: string, configuration: string): ChildProcess {
  writeFileSync(`${folder}/haproxy.cfg`, configuration);
  return spawn("/usr/sbin/haproxy", ["-q", "-f", `${folder}/haproxy.cfg`], { stdio: "ignore" });
}
