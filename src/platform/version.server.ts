// The running version, from package.json.
import { readFileSync } from 'node:fs'

const manifest = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
  version: string
}

/** As 0.1.0; /healthz and /metrics report it. */
export const VERSION = manifest.version
