// `node scripts/other-browsers.mjs`: the core journey in Firefox and WebKit, from Debian's firefox-esr, webkit2gtk-driver and xvfb. Not
// part of `npm test`: what it installs is several times as large as everything else that the tests need.
import { build } from './build.mjs'
import { environment, prepare, run } from './prepare.mjs'

const node = prepare({ isForTests: true })
build(node)
process.exit(run(node, ['e2e/other-browsers.ts'], { env: environment() }))
