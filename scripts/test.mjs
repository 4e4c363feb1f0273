// `npm test`: runs the checks, the unit and server tests on a real PostgreSQL, and the browser journeys. The
// last line gives the total counts.
import { existsSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { build } from './build.mjs'
import { checks } from './check.mjs'
import { installSpeech, prepare, root, run } from './prepare.mjs'

const node = prepare({ isForTests: true })
installSpeech()
let passed = 0
let failed = 0

for (const [name, args] of checks) {
  if (run(node, args) === 0) passed += 1
  else {
    failed += 1
    console.error(`check failed: ${name}`)
  }
}

// Some server tests also need the built pages.
build(node)
count(run(node, ['scripts/unit-tests.mjs']), 'build/unit-result.json')

installBrowser()
rmSync(join(root, 'build/journey-result.json'), { force: true })
count(
  run(node, ['node_modules/@playwright/test/cli.js', 'test', '--config', 'e2e/playwright.config.ts']),
  'build/journey-result.json',
)

console.log(`${passed} passed, ${failed} failed`)
process.exit(failed === 0 && passed > 0 ? 0 : 1)

// If the runner fails without naming a failed test, this counts the whole run as one failure.
function count(code, resultFile) {
  const file = join(root, resultFile)
  const result = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : { passed: 0, failed: 0 }
  passed += result.passed
  failed += result.failed || (code === 0 && result.passed > 0 ? 0 : 1)
}

function installBrowser() {
  // Installs the browser that e2e/playwright.config.ts prefers: the headless shell, which uses a third less
  // CPU.
  if (
    [process.env.CHROMIUM_PATH, '/usr/bin/chromium-headless-shell'].some((path) => path && existsSync(path))
  )
    return
  console.log('Installing a browser for the journeys...')
  const packages = ['chromium-headless-shell', 'fonts-liberation']
  if (
    process.getuid?.() === 0 &&
    existsSync('/usr/bin/apt-get') &&
    run('apt-get', ['-qq', 'update']) === 0 &&
    run('apt-get', ['-qq', 'install', '-y', '--no-install-recommends', ...packages]) === 0
  )
    return
  const others = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome']
  if (others.some((path) => existsSync(path))) return
  run(node, ['node_modules/@playwright/test/cli.js', 'install', '--only-shell', 'chromium'])
}
