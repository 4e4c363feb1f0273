// `node scripts/image-check.mjs [NAME=VALUE...]`: builds the Containerfile in a root folder made with
// Debian's tools, because not every network can reach an image registry, and starts the result like a
// container. NAME=VALUE sets build arguments. Requires root on Linux.
import { prepare, run } from './prepare.mjs'

process.exit(run(prepare({ isForTests: true }), ['scripts/image-check.ts', ...process.argv.slice(2)]))
