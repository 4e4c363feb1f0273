// `node scripts/sbom.ts`: writes sbom.cdx.json, a list of everything that's shipped (CycloneDX 1.6), from the lockfile and
// the installed packages. The Containerfile runs this. npm's own list has the tools that build the pages, and lacks a
// package if a tool for tests uses it, too.
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { type Locked, nameOf, placeOf, reachedFrom } from './notice.ts'

interface Named {
  type: 'application' | 'library'
  'bom-ref': string
  name: string
  version: string
  purl: string
}

interface Component extends Named {
  licenses: ({ expression: string } | { license: { name: string } })[]
  hashes?: { alg: 'SHA-512'; content: string }[]
}

/** Returns the list for the packages installed in a project's folder. */
export function sbomOf(root: string) {
  const read = (file: string) => JSON.parse(readFileSync(join(root, file), 'utf8'))
  const manifest = read('package.json') as { name: string; version: string }
  const { packages } = read('package-lock.json') as { packages: Record<string, Locked> }
  const shipped = [...reachedFrom(packages)].filter((path) => existsSync(join(root, path))).sort()
  const refOf = (path: string) => (path === '' ? purlOf(manifest) : `${purlOf(thingAt(path))}#${path}`)
  const thingAt = (path: string) => ({ name: nameOf(path), version: packages[path]?.version ?? '' })
  return {
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    version: 1,
    metadata: {
      component: {
        type: 'application',
        'bom-ref': refOf(''),
        name: manifest.name,
        version: manifest.version,
        purl: purlOf(manifest),
      } satisfies Named,
    },
    components: shipped.map((path): Component => {
      const { license, integrity } = packages[path] ?? {}
      return {
        type: 'library',
        'bom-ref': refOf(path),
        ...thingAt(path),
        purl: purlOf(thingAt(path)),
        licenses: [licenseOf(license)],
        ...(integrity && { hashes: [{ alg: 'SHA-512', content: hexOf(integrity) }] }),
      }
    }),
    dependencies: ['', ...shipped].map((path) => {
      const { dependencies, optionalDependencies } = packages[path] ?? {}
      const places = Object.keys({ ...dependencies, ...optionalDependencies })
        .map((name) => placeOf(name, path, packages))
        .filter((place) => place !== undefined && shipped.includes(place))
      return { ref: refOf(path), dependsOn: [...new Set(places)].map((place) => refOf(place ?? '')).sort() }
    }),
  }
}

function purlOf({ name, version }: { name: string; version: string }): string {
  return `pkg:npm/${name.replace('@', '%40')}@${version}`
}

/** An SPDX expression, or whatever else a package says. NOTICE has the text of each. */
function licenseOf(license = 'see NOTICE'): { expression: string } | { license: { name: string } } {
  return /^\(?[\w.+-]+( (OR|AND) [\w.+-]+)*\)?$/.test(license)
    ? { expression: license }
    : { license: { name: license } }
}

function hexOf(integrity: string): string {
  return Buffer.from(integrity.replace(/^sha512-/, ''), 'base64').toString('hex')
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href)
  writeFileSync('sbom.cdx.json', `${JSON.stringify(sbomOf('.'), null, 1)}\n`)
