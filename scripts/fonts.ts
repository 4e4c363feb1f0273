// `node scripts/fonts.ts`: copies the font files for PDFs out of their packages, which are fifteen times as
// large and installed only for tests. Run it after updating a font package.
import { copyFileSync, mkdirSync, rmSync } from 'node:fs'
import { basename, dirname } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { FONT_FILES } from '#platform/pdf/type.server.ts'

/** The path of a font file in its package. */
export function packagedFont(file: string): string {
  const name = basename(file)
  const [, family] =
    /^(figtree|gabarito|noto-sans-(?:arabic|hebrew|kr|sc)|noto-sans|noto-emoji)-/.exec(name) ?? []
  return fileURLToPath(import.meta.resolve(`@fontsource/${family}/files/${name}`))
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const folders = new Set(FONT_FILES.map((file) => dirname(file)))
  for (const folder of folders) {
    rmSync(folder, { recursive: true, force: true })
    mkdirSync(folder)
  }
  for (const file of FONT_FILES) copyFileSync(packagedFont(file), file)
}
