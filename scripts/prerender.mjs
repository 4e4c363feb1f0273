// Renders the public pages to HTML with the script that was just built, and compresses static files.
import { readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import { root } from './prepare.mjs'
import { buildPageChecker } from './page-checker.mjs'
import { buildServiceWorker } from './service-worker.mjs'

const client = join(root, 'build/client')
const { renderPages } = await import(join(root, 'build/prerender/prerender.js'))

const shells = {
  app: readFileSync(join(client, 'index.html'), 'utf8'),
  demo: readFileSync(join(client, 'demo.html'), 'utf8'),
}
const chunks = JSON.parse(readFileSync(join(client, '.vite/manifest.json'), 'utf8'))
rmSync(join(client, '.vite'), { recursive: true })
// Preloads the Latin files of both fonts before the style sheet requests them.
const fonts = readdirSync(join(client, 'assets')).filter((name) =>
  /-latin-(wght|700)-normal-[^.]*\.woff2$/.test(name),
)
const fontLinks = fonts
  .map((name) => `<link rel="preload" href="/assets/${name}" as="font" type="font/woff2" crossorigin />`)
  .join('')
for (const { file, head, html, source, isDemo } of await renderPages()) {
  const shell = isDemo ? shells.demo : shells.app
  const page = shell
    .replace('<title>Tutorlog</title>', () => `${head}${fontLinks}`)
    .replace('<div id="root"></div>', () => `<div id="root">${html}</div>`)
  writeFileSync(
    join(client, `${file}.page`),
    source ? page.replace('</head>', () => `${preloads(shell, source)}</head>`) : withoutApp(page),
  )
}
rmSync(join(client, 'index.html'))
writeFileSync(join(client, 'app.html'), withApp(shells.app))
// Each side of the demo starts as an empty page in an iframe.
rmSync(join(client, 'demo.html'))
writeFileSync(
  join(client, 'demo-side.html'),
  shells.demo.replace(
    '</head>',
    () =>
      `<meta name="robots" content="noindex" />${fontLinks}${preloads(shells.demo, 'src/main/browser-demo/Side.tsx')}</head>`,
  ),
)
for (const name of readdirSync(client).filter((file) => file.endsWith('.page')))
  renameSync(join(client, name), join(client, name.replace('.page', '')))
rmSync(join(root, 'build/prerender'), { recursive: true })
// The only script that's served as written, except that comments are removed.
const early = join(client, 'early.js')
writeFileSync(early, readFileSync(early, 'utf8').replaceAll(/^\s*\/\/.*\n/gm, ''))
await buildServiceWorker()
await buildPageChecker()
compress(client)

// A page without interactive elements needs no script.
function withoutApp(page) {
  return page.replaceAll(/<script type="module"[^>]*><\/script>\s*|<link rel="modulepreload"[^>]*>\s*/g, '')
}

// Every page of the app needs these files right away, so the browser doesn't wait until a script asks for them.
function withApp(page) {
  const home = Object.keys(chunks).find((key) => chunks[key].name === 'home')
  const styles = chunks[home].css.map((name) => `  <link rel="stylesheet" crossorigin href="/${name}">\n  `)
  return page.replace('</head>', () => `${preloads(page, home)}${styles.join('')}</head>`)
}

// Preloads a page's modules, so that they don't wait until the script that imports them has loaded.
function preloads(shell, source, files = new Set()) {
  const { file, imports = [] } = chunks[source]
  files.add(file)
  for (const name of imports) preloads(shell, name, files)
  return [...files]
    .filter((name) => !shell.includes(name))
    .map((name) => `  <link rel="modulepreload" crossorigin href="/${name}" />\n  `)
    .join('')
}

function compress(folder) {
  for (const name of readdirSync(folder)) {
    const path = join(folder, name)
    if (statSync(path).isDirectory()) compress(path)
    else if (/\.(js|css|svg|webmanifest)$/.test(name)) {
      const content = readFileSync(path)
      writeFileSync(`${path}.br`, brotliCompressSync(content))
      writeFileSync(`${path}.gz`, gzipSync(content, { level: 9 }))
    }
  }
}
