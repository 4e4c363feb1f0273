import assert from 'node:assert/strict'
import { test } from 'node:test'
import { APP_PAGES } from '#features/site/paths.ts'
import { cacheOf, kindOf, outdated } from './shell.ts'

const build = {
  version: '2',
  entry: '/assets/index-a.js',
  files: ['/assets/index-a.js', '/early.js'],
  pages: [...APP_PAGES, '/login'],
}
const kind = (path: string, mode = 'cors', method = 'GET') =>
  kindOf({ method, mode, url: `https://t.example${path}` }, 'https://t.example', build)

test('W9: the worker leaves the API, the mailbox and every write alone', () => {
  for (const path of [
    '/api/v1/me',
    '/api/v1/sessions?month=2026-11',
    '/api/auth/session',
    '/mailbox',
    '/calendar/x.ics',
    '/healthz',
  ]) {
    for (const mode of ['cors', 'navigate']) assert.equal(kind(path, mode), undefined, path)
  }
  assert.equal(kind('/dashboard', 'navigate', 'POST'), undefined)
  assert.equal(
    kindOf(
      { method: 'GET', mode: 'cors', url: 'https://other.example/assets/index-a.js' },
      'https://t.example',
      build,
    ),
    undefined,
  )
})

test("app pages get the shell, the app's own files come from the cache, public pages from the network", () => {
  for (const path of APP_PAGES) assert.equal(kind(`${path}?tab=voice`, 'navigate'), 'page', path)
  assert.equal(kind('/assets/index-old.js'), 'file')
  assert.equal(kind('/early.js'), 'file')
  for (const path of ['/', '/terms', '/no/such/page']) assert.equal(kind(path, 'navigate'), undefined, path)
})

test('the previous version stays for tabs that still run it', () => {
  assert.deepEqual(outdated(['shell-0', 'other', 'shell-1', cacheOf('2')], '2'), ['shell-0'])
  assert.deepEqual(outdated([cacheOf('2')], '2'), [])
})
