// The running version, from package.json.
import { readFileSync } from 'node:fs'

const manifest = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
  version: string
}

/** For example, 0.1.0. Reported by /healthz and /metrics. */
export const VERSION = manifest.version
