// Parses a Containerfile into stages and their steps. Supports only the instructions ours uses; anything else
// is an error.

export interface Step {
  name: 'WORKDIR' | 'COPY' | 'RUN' | 'ARG' | 'ENV'
  /** The arguments as they're written, with continuation lines joined. */
  words: string
}

export interface Stage {
  base: string
  name: string
  steps: Step[]
  /** The settings for containers started from this image. */
  user: string
  volumes: string[]
  stopSignal: NodeJS.Signals
  command: string[]
  health: string[]
}

const STEPS = new Set(['WORKDIR', 'COPY', 'RUN', 'ARG', 'ENV'])

/**
 * Returns a Containerfile's stages in order. For an unknown instruction, throws an Error that quotes the
 * line.
 */
export function stagesOf(text: string): Stage[] {
  const lines = text
    .split('\n')
    .filter((line) => !line.startsWith('#') && line.trim() !== '')
    .join('\n')
    .replaceAll(/\s*\\\n\s*/g, ' ')
    .split('\n')
  const stages: Stage[] = []
  for (const line of lines) {
    const [, name = '', words = ''] = /^([A-Z]+) (.*)$/.exec(line) ?? []
    if (name === 'FROM') {
      const [, base = '', own = ''] = /^(\S+) AS (\S+)$/.exec(words) ?? []
      stages.push(aStage(base, own))
      continue
    }
    const stage = stages.at(-1)
    if (!stage || !(STEPS.has(name) || name in SAYINGS))
      throw new Error(`what is this in a Containerfile: ${line}`)
    if (STEPS.has(name)) stage.steps.push({ name: name as Step['name'], words })
    else SAYINGS[name]?.(stage, words)
  }
  return stages
}

function aStage(base: string, name: string): Stage {
  return { base, name, steps: [], user: 'root', volumes: [], stopSignal: 'SIGTERM', command: [], health: [] }
}

const SAYINGS: Record<string, (stage: Stage, words: string) => void> = {
  USER: (stage, words) => (stage.user = words),
  VOLUME: (stage, words) => stage.volumes.push(words),
  EXPOSE: () => undefined,
  STOPSIGNAL: (stage, words) => (stage.stopSignal = words as NodeJS.Signals),
  HEALTHCHECK: (stage, words) => (stage.health = argumentsOf(words.replace(/^.*?CMD /, ''))),
  CMD: (stage, words) => (stage.command = argumentsOf(words)),
}

function argumentsOf(words: string): string[] {
  return JSON.parse(words) as string[]
}
