import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { DEMO_PASSWORD } from '#main/demo.ts'
import { removeScratch, scratchFolder } from '#main/testing/scratch.server.ts'
import { freePort } from '#platform/free-port.server.ts'

test('npm run dev serves the browser half live and the server behind it, has demo accounts, and leaves nothing running after Ctrl-C', async () => {
  const folder = scratchFolder()
  const port = await freePort()
  const base = `http://127.0.0.1:${port}`
  const dev = spawn(process.execPath, ['scripts/dev.mjs'], {
    env: {
      PATH: process.env.PATH,
      HOME: process.env.HOME,
      DATA_DIR: join(folder, 'data'),
      PORT: String(port),
      LOG_LEVEL: 'error',
    },
    stdio: ['ignore', 'pipe', 'inherit'],
    detached: true,
  })
  const ended = once(dev, 'exit')
  let output = ''
  dev.stdout.on('data', (chunk: Buffer) => {
    output += chunk.toString()
  })
  try {
    for (
      const end = Date.now() + 60_000;
      !output.includes('Sign in at');
      await new Promise((resolve) => setTimeout(resolve, 50))
    ) {
      assert.ok(Date.now() < end && dev.exitCode === null, `it did not start: ${output}`)
    }
    assert.match(output, new RegExp(`Tutorlog is ready at http://localhost:${port}`))
    assert.match(
      await (await fetch(`${base}/dashboard`, { headers: { accept: 'text/html' } })).text(),
      /\/@vite\/client/,
    )
    const answer = await fetch(`${base}/api/auth/sign-in`, {
      method: 'POST',
      headers: { origin: `http://localhost:${port}`, 'content-type': 'application/json' },
      body: JSON.stringify({ email: 'family@example.com', password: DEMO_PASSWORD }),
    })
    assert.equal(answer.status, 200)
    assert.equal((await fetch(`${base}/mailbox`)).status, 200)
  } finally {
    // Ctrl-C sends the signal to the whole process group, so this does too.
    process.kill(-(dev.pid ?? 0), 'SIGINT')
    await ended
  }
  await assert.rejects(fetch(`${base}/healthz`))
  assert.ok(!existsSync(join(folder, 'data/server.lock')))
  assert.ok(!existsSync(join(folder, 'data/postgres/postmaster.pid')))
  removeScratch(folder)
})
