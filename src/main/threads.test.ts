// What takes seconds runs in threads, while the server's own thread answers everyone else.
import assert from 'node:assert/strict'
import { registerHooks } from 'node:module'
import { test } from 'node:test'

/** What draws PDF files, packs exports, reads and writes CSV files, and interprets what was said. */
const HEAVY =
  /node_modules\/(pdfkit|fontkit|fflate|csv-parse|csv-stringify)\/|features\/voice\/reading\/read\.ts$/

test("I19: the server's own thread doesn't even load what runs in threads", async () => {
  const loaded: string[] = []
  const hooks = registerHooks({
    load(url, context, next) {
      loaded.push(url)
      return next(url, context)
    },
  })
  await import('./services.server.ts')
  hooks.deregister()
  assert.ok(loaded.some((url) => url.endsWith('features/privacy/commands.server.ts')))
  assert.deepEqual(
    loaded.filter((url) => HEAVY.test(url)),
    [],
  )
})
