// `node proofs/other-browsers.mjs`: runs the core journey in Firefox and WebKit. Needs Debian's firefox-esr,
// webkit2gtk-driver and xvfb. It isn't part of `npm test`, because these packages are several times as large
// as everything the other tests install.
import { build } from '../scripts/build.mjs'
import { environment, prepare, run } from '../scripts/prepare.mjs'

const node = prepare({ isForTests: true })
build(node)
process.exit(run(node, ['proofs/other-browsers.ts'], { env: environment() }))
