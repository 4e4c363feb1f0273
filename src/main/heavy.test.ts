// Slow work runs in processes of its own, so that the server stays free to respond to everyone else.
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { test } from 'node:test'

/** Modules that render PDF files, pack exports, read and write CSV files, or interpret spoken text. */
const HEAVY =
  /node_modules\/(pdfkit|fontkit|fflate|csv-parse|csv-stringify)\/|features\/voice\/reading\/read\.ts$/

/**
 * Lists the modules that the server loads. Runs in a separate process, because other tests may have loaded
 * more modules in this one.
 */
const LIST = `
  import { registerHooks } from 'node:module'
  registerHooks({ load: (url, context, next) => (console.log(url), next(url, context)) })
  await import(${JSON.stringify(import.meta.resolve('./services.server.ts'))})
`

test("I19: the server's own process doesn't even load what runs in others", () => {
  const loaded = execFileSync(process.execPath, ['--input-type=module', '--eval', LIST], { encoding: 'utf8' })
  const modules = loaded.split('\n')
  assert.ok(modules.some((url) => url.endsWith('features/privacy/commands.server.ts')))
  assert.deepEqual(
    modules.filter((url) => HEAVY.test(url)),
    [],
  )
})
