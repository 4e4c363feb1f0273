import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { freePort } from '#platform/free-port.server.ts'
import { removeScratch, scratchFolder } from './testing/scratch.server.ts'

test('P3, W5: no address, name, password or token stands in any log, however much is logged', async () => {
  const folder = scratchFolder()
  const port = String(await freePort())
  const ORIGIN = `http://localhost:${port}`
  const env = {
    ...process.env,
    PORT: port,
    BASE_URL: '',
    DATABASE_URL: '',
    DATA_DIR: join(folder, 'data'),
    LOG_LEVEL: 'trace',
  }
  const server = spawn(process.execPath, ['src/main/server.ts'], { env, stdio: ['ignore', 'pipe', 'pipe'] })
  let log = ''
  for (const stream of [server.stdout, server.stderr])
    stream.on('data', (chunk: Buffer) => {
      log += chunk.toString()
    })
  const ended = new Promise((resolve) => server.once('exit', resolve))
  try {
    while (!log.includes('ready at')) {
      assert.equal(server.exitCode, null, log)
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
    const secrets = ['zabel-quirina@example.com', 'Quirina Zabel', 'greenhouse-41-tulips']
    const cookies = new Map<string, string>()
    const call = async (method: string, path: string, body?: object) => {
      const answer = await fetch(`${ORIGIN}${path}`, {
        method,
        redirect: 'manual',
        headers: {
          origin: ORIGIN,
          cookie: [...cookies.values()].join('; '),
          ...(body ? { 'content-type': 'application/json' } : {}),
        },
        ...(body ? { body: JSON.stringify(body) } : {}),
      })
      const set = answer.headers.getSetCookie().map((line) => line.split(';')[0] ?? '')
      for (const pair of set) cookies.set(pair.split('=')[0] ?? '', pair)
      secrets.push(...set.map((pair) => pair.split('=')[1] ?? '').filter((value) => value.length > 20))
      return answer
    }
    const linkOf = async (subject: string) => {
      for (let tries = 0; tries < 200; tries++) {
        const mails = (await (await fetch(`${ORIGIN}/mailbox/messages?to=${secrets[0]}`)).json()) as {
          subject: string
          text: string
        }[]
        const url = /http\S+/.exec(mails.find((mail) => mail.subject.includes(subject))?.text ?? '')?.[0]
        if (url) return new URL(url)
        await new Promise((resolve) => setTimeout(resolve, 25))
      }
      throw new Error('no mail')
    }
    const [email, full_name, password] = secrets
    await call('POST', '/api/auth/sign-up', { email, password, role: 'parent' })
    const verify = await linkOf('Verify')
    const token = verify.hash.replace('#token=', '')
    secrets.push(token)
    await call('GET', verify.pathname + verify.hash)
    await call('POST', '/api/auth/verify', { token })
    await call('POST', '/api/auth/sign-up', { email, password, role: 'parent' })
    await call('PATCH', '/api/v1/me', { full_name })
    await call('GET', `/api/v1/students?name=${encodeURIComponent(full_name ?? '')}`)
    await call('POST', '/api/v1/students', { name: full_name, wrong: email })
    await call('POST', '/api/auth/sign-in', { email, password: `${password}x` })
    await call('POST', '/api/auth/forgot-password', { email })
    const reset = await linkOf('Reset')
    secrets.push(...reset.searchParams.values())
    await call('GET', reset.pathname + reset.search)
    await call('GET', `/no/such/${email}`)
    await call('POST', '/api/v1/export', {})
    server.kill('SIGINT')
    await ended
    assert.match(log, /"msg":"request"/)
    const files = globSync('**/*.log', { cwd: folder }).map((name) =>
      readFileSync(join(folder, name), 'utf8'),
    )
    assert.ok(secrets.length >= 8 && !secrets.includes(''), 'every secret was seen')
    for (const secret of secrets)
      for (const text of [log, ...files])
        assert.ok(!text.includes(secret) && !text.includes(encodeURIComponent(secret)), secret)
  } finally {
    server.kill('SIGKILL')
    await ended
    removeScratch(folder)
  }
})
