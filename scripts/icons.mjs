// `node scripts/icons.mjs`: renders the installed app's PNG icons from the logo's SVG files. Run it by hand
// when the logo changes.
import { existsSync, mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { chromium } from '@playwright/test'
import { root } from './prepare.mjs'

/**
 * Name, source, and side length in pixels. Apple rounds the corners itself, so the Apple icon fills the whole
 * square, just like the maskable one.
 */
const ICONS = [
  ['icon-192', 'app-icon', 192],
  ['icon-512', 'app-icon', 512],
  ['icon-maskable-512', 'app-icon-maskable', 512],
  ['apple-touch-icon', 'app-icon-maskable', 180],
]

const installed = [
  process.env.CHROMIUM_PATH,
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
].find((path) => path && existsSync(path))
const browser = await chromium.launch({ executablePath: installed, args: ['--no-sandbox'] })
const folder = join(root, 'public/icons')
mkdirSync(folder, { recursive: true })
for (const [name, source, side] of ICONS) {
  const page = await browser.newPage({ viewport: { width: side, height: side } })
  await page.setContent(
    `<style>body{margin:0}svg{display:block;width:100vw;height:100vh}</style>${readFileSync(join(root, `public/${source}.svg`), 'utf8')}`,
  )
  await page.screenshot({ path: join(folder, `${name}.png`), omitBackground: true })
}
await browser.close()
