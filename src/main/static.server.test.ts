import assert from 'node:assert/strict'
import { test } from 'node:test'
import { buildApp } from '#platform/http/app.server.ts'
import { addStaticFiles } from './static.server.ts'

test('W5: a missing path is logged, without its query', async () => {
  const lines: string[] = []
  const app = buildApp({
    baseUrl: 'http://localhost:3000',
    trustedProxies: [],
    logLevel: 'info',
    refusalOf: () => undefined,
    readiness: { standing: async () => 'ready', noteFailure: () => undefined },
    logTo: {
      write: (line) => {
        lines.push(line)
      },
    },
  })
  const baseUrl = 'http://localhost:3000'
  addStaticFiles(app, { baseUrl, contactTo: 'help@example.com', signUp: 'open' }, async () => ({
    format: 'tutorlog-page-keys-1',
    origin: baseUrl,
    keys: [],
  }))
  try {
    await app.inject({
      url: '/no/such/page?access_token=secret-1&next=secret-2',
      headers: { accept: 'text/html' },
    })
    const logged = lines
      .map((line) => JSON.parse(line) as { msg: string; path?: string })
      .filter(({ msg }) => msg === 'page not found')
    assert.deepEqual(
      logged.map(({ path }) => path),
      ['/no/such/page'],
    )
    assert.doesNotMatch(lines.join(''), /secret/)
    const call = await app.inject({
      url: '/api/no-such-thing?token=secret-3',
      headers: { accept: 'application/json' },
    })
    assert.deepEqual([call.statusCode, (call.json() as { code: string }).code], [404, 'not_found'])
    assert.doesNotMatch(lines.join(''), /secret/)
  } finally {
    await app.close()
  }
})
