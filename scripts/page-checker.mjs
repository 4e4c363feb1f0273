// Builds verify.html: one file with its script and styles in it, which may not request anything.
import { createHash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import tailwindcss from '@tailwindcss/vite'
import { build } from 'vite'
import { root } from './prepare.mjs'

/** Writes build/client/page-checker.html. The server fills in its public keys. */
export async function buildPageChecker() {
  const bundle = async (entry) => {
    const { output } = await build({
      root,
      configFile: false,
      publicDir: false,
      logLevel: 'warn',
      plugins: [tailwindcss()],
      build: {
        write: false,
        target: 'es2023',
        modulePreload: { polyfill: false },
        rolldownOptions: { input: join(root, entry), treeshake: { manualPureFunctions: ['z', 'endpoint'] } },
      },
    })
    return output
  }
  const [script] = await bundle('src/main/page-checker.ts')
  const style = (await bundle('src/main/page-checker.css')).find(({ fileName }) => fileName.endsWith('.css'))
  // Nothing in the script may end its element.
  const code = script.code.replaceAll('</script', String.raw`<\/script`)
  const css = String(style.source)
  const hashOf = (text) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`
  const policy = `default-src 'none'; script-src ${hashOf(code)}; style-src ${hashOf(css)}; base-uri 'none'; form-action 'none'`
  const page = readFileSync(join(root, 'src/main/page-checker.html'), 'utf8')
    .replace('POLICY', policy)
    // The hashes are of everything between the tags.
    .replace(/>\s*STYLE\s*</, () => `>${css}<`)
    .replace(/>\s*SCRIPT\s*</, () => `>${code}<`)
  writeFileSync(join(root, 'build/client/page-checker.html'), page)
}
