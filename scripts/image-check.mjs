// `node scripts/image-check.mjs [NAME=VALUE...]`: carries out the Containerfile in a root made with Debian's tools, since an image
// registry can't be reached everywhere, and starts it as a container would be. NAME=VALUE are build arguments. As root, on Linux.
import { prepare, run } from './prepare.mjs'

process.exit(run(prepare({ isForTests: true }), ['scripts/image-check.ts', ...process.argv.slice(2)]))
