import assert from 'node:assert/strict'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { setStrangeClusterAside } from './embedded.server.ts'

test('a new folder at the path of a deleted one starts empty, and the old database is set aside whole', (t) => {
  const root = mkdtempSync(join(tmpdir(), 'tutorlog-cluster-'))
  t.after(() => rmSync(root, { recursive: true }))
  const dataDir = join(root, 'clone', 'data')
  const cluster = join(root, 'far', 'postgres')
  for (const folder of [dataDir, cluster]) mkdirSync(folder, { recursive: true })
  writeFileSync(join(cluster, 'PG_VERSION'), '18')

  writeFileSync(join(dataDir, 'database-password'), 'kept')
  assert.equal(setStrangeClusterAside(dataDir, cluster), undefined)
  assert.ok(existsSync(cluster))

  rmSync(join(dataDir, 'database-password'))
  const aside = setStrangeClusterAside(dataDir, cluster)
  assert.ok(aside)
  assert.equal(existsSync(cluster), false)
  assert.equal(readFileSync(join(aside, 'PG_VERSION'), 'utf8'), '18')
  assert.equal(setStrangeClusterAside(dataDir, cluster), undefined)
})
