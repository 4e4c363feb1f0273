// `node scripts/export-checker.ts`: makes src/features/privacy/verify.mjs, the program in every export that checks it.
// It's one file for any Node from version 20 on, made from src/main/export-checker and the rules that the server
// itself goes by.
import { writeFileSync } from 'node:fs'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { format } from 'prettier'
import { build } from 'vite'

export const CHECKER = fileURLToPath(new URL('../src/features/privacy/verify.mjs', import.meta.url))

const ABOUT = `// Checks a Tutorlog export: node verify.mjs EXPORT.zip [KEYS.json]
//
// It needs Node 20.15 or newer and nothing else, neither a network nor the server. It's made from Tutorlog's own source
// (scripts/export-checker.ts), so change it there.
`

export async function exportChecker(): Promise<string> {
  const built = await build({
    configFile: false,
    logLevel: 'warn',
    ssr: { noExternal: true },
    build: {
      ssr: fileURLToPath(new URL('../src/main/export-checker/verify.ts', import.meta.url)),
      write: false,
      minify: false,
      target: 'node20',
      rolldownOptions: {
        treeshake: {
          manualPureFunctions: ['z', 'endpoint', 'amountUpTo', 'cents'],
          moduleSideEffects: false,
          propertyReadSideEffects: false,
        },
      },
    },
  })
  const [output] = Array.isArray(built) ? built : [built]
  const [chunk] = output && 'output' in output ? output.output : []
  if (chunk?.type !== 'chunk') throw new Error('nothing was built')
  return await format(ABOUT + chunk.code.replace(/^export \{\s*\};?$/m, ''), {
    parser: 'babel',
    printWidth: 110,
    semi: false,
    singleQuote: true,
  })
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href)
  writeFileSync(CHECKER, await exportChecker())
