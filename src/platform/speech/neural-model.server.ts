// Downloads the neural engine's model for the operator: Moonshine tiny for English (MIT license) from its
// authors' package, and the tokenizer's vocabulary from another package. Both are pinned by hash, and neither
// is in this repository.
import { execFile } from 'node:child_process'
import { hash as hashOf } from 'node:crypto'
import { copyFile, mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { NEURAL_FILES, NEURAL_FOLDER } from './neural-engine.server.ts'

const run = promisify(execFile)

interface Package {
  name: string
  version: string
  /** SHA-512 of the archive, in hex. */
  hash: string
}
const MODEL: Package = {
  name: '@moonshine-ai/moonshine-js',
  version: '0.1.29',
  hash: '1b1d41de625c6ccebc8a14b2fcbc8912e1241aaeec60ca936f4e3335d7087a2754d144559529973f41b28903934c0a836505e5202ee4f9b932f8575793450f96',
}
const MODEL_FILES = 'package/dist/model/tiny/quantized'
const TOKENIZER: Package = {
  name: 'llama-tokenizer-js',
  version: '1.2.2',
  hash: '5a6b61dfdddd737a1d594dc8cc0449debda821f5a0c3d19d2791a6fa11a17c408d3b5f141cb46a10549fe75d639f813d29c406ceeb8ac385a5d3ca4701e98b03',
}
const TOKENIZER_FILE = 'package/llama-tokenizer.js'
const BYTE_TOKEN = /^<0x([0-9A-F]{2})>$/

/**
 * Installs the neural model (28 MB) into a folder and returns the model's path. Throws an Error if a package
 * can't be downloaded or its hash is wrong.
 */
export async function installNeuralModel(modelDir: string): Promise<string> {
  await mkdir(modelDir, { recursive: true })
  const folder = await mkdtemp(join(modelDir, 'arriving-'))
  try {
    await unpack(MODEL, folder, [MODEL_FILES])
    await unpack(TOKENIZER, folder, [TOKENIZER_FILE])
    const ready = join(folder, NEURAL_FOLDER)
    await mkdir(ready)
    for (const name of [NEURAL_FILES.encoder, NEURAL_FILES.decoder])
      await copyFile(join(folder, MODEL_FILES, name), join(ready, name))
    await writeFile(join(ready, NEURAL_FILES.tokens), await tokensOf(join(folder, TOKENIZER_FILE)))
    // Renaming moves the folder into place all at once, so that a server starting at the same time finds
    // either the whole model or none of it.
    const place = join(modelDir, NEURAL_FOLDER)
    await rm(place, { recursive: true, force: true })
    await rename(ready, place)
    return place
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

async function unpack({ name, version, hash }: Package, folder: string, files: string[]): Promise<void> {
  const args = ['pack', `${name}@${version}`, '--silent', '--pack-destination', folder]
  const { stdout } = await run('npm', args, { cwd: folder })
  const path = join(folder, stdout.trim().split('\n').at(-1) ?? '')
  if (hashOf('sha512', await readFile(path), 'hex') !== hash)
    throw new Error(
      `The package ${name} ${version} does not have the expected hash, so it was not installed.`,
    )
  await run('tar', ['-xzf', path, '-C', folder, ...files])
}

/** The tokenizer's vocabulary in the recognizer's format: each token in Base64, followed by its number. */
async function tokensOf(file: string): Promise<string> {
  const { default: tokenizer } = (await import(pathToFileURL(file).href)) as {
    default: { vocabById: string[] }
  }
  const bytesOf = (word: string) => {
    const byte = BYTE_TOKEN.exec(word)?.[1]
    return byte ? Buffer.from(byte, 'hex') : Buffer.from(word.replaceAll('▁', ' '))
  }
  return tokenizer.vocabById
    .map((word, number) => `${bytesOf(word).toString('base64')}\t${number}\n`)
    .join('')
}
