// `node proofs/image-check.mjs [NAME=VALUE...]`: builds the Containerfile in a root folder made with
// Debian's tools and runs the result as if it were in a container. It doesn't need an image registry, because
// not every network can reach one. NAME=VALUE sets build arguments. Requires root on Linux.
import { prepare, run } from '../scripts/prepare.mjs'

process.exit(run(prepare({ isForTests: true }), ['proofs/image-check.ts', ...process.argv.slice(2)]))
