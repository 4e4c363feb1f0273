// Decides which script each module goes into. A first build determines what each screen uses, and a second
// one groups the modules accordingly, because one 30 kB file loads faster than thirty 1 kB files.
import { join } from 'node:path'
import { build, type PluginOption } from 'vite'

const SRC = join(import.meta.dirname, '../src')
const ENTRY = 'main/web.tsx'
const LOGIN = 'features/accounts/LoginPage.tsx'
const SIGN_UP = 'features/accounts/SignupPage.tsx'
/**
 * Modules that each get a separate script. The demo must not load the code that starts the app, and pages
 * refer to their script by name.
 */
const ALONE = [ENTRY, 'main/Root.tsx', LOGIN, SIGN_UP].map((screen) => join(SRC, screen))
/** Modules that the dashboard loads for everyone. */
const HOME = [
  'main/App.tsx',
  'main/ClosedMonth.tsx',
  'features/dashboard/DashboardPage.tsx',
  'features/dashboard/TutorDashboard.tsx',
  'features/sessions/WaitingList.tsx',
]
/** Modules that store the app on this device. They're loaded after the first paint. */
const DEVICE = ['main/device.web.ts']
/** Modules that the dashboard needs once there are sessions. */
const MONTH = [
  'features/dashboard/MonthCard.tsx',
  'features/dashboard/RecentRows.tsx',
  'features/summary/WeekSection.tsx',
  'features/dashboard/DueSection.tsx',
  'features/dashboard/UpcomingSection.tsx',
]
/** Modules for items that are waiting for an answer. */
const WAITING = [
  'features/sessions/ToConfirmCard.tsx',
  'features/sessions/SentBackCard.tsx',
  'features/payments/WaitingPaymentsCard.tsx',
  'features/connections/OfferCard.tsx',
  'features/connections/PairsCard.tsx',
]

/** Two screens with forms. The modules they share are the ones that all forms need. */
const FORMS = ['features/sessions/AddSessionPage.tsx', 'features/tutors/OwnRateCard.tsx']

interface Group {
  name: string
  test: (id: string) => boolean
  priority: number
}

/** Returns the scripts for the pages that people open first. Scripts shared by the most pages come first. */
export async function firstScripts(plugins: PluginOption[]): Promise<Group[]> {
  const usedBy = await readScreens(plugins)
  const home = usedBy(HOME)
  const login = usedBy([LOGIN])
  const [start, signUp, device, month, waiting] = [[ENTRY], [SIGN_UP], DEVICE, MONTH, WAITING].map(usedBy)
  const [form, otherForm] = FORMS.map((screen) => usedBy([screen]))
  const tests = {
    base: (id: string) => start?.has(id) || (login.has(id) && home.has(id)),
    form: (id: string) => login.has(id) || signUp?.has(id),
    home: (id: string) => home.has(id),
    device: (id: string) => device?.has(id),
    month: (id: string) => month?.has(id),
    waiting: (id: string) => waiting?.has(id),
    checks: (id: string) => /\/(node_modules\/zod|src\/kernel)\//.test(id),
    fields: (id: string) => form?.has(id) && otherForm?.has(id),
    tabs: (id: string) => form?.has(id) && /\/@base-ui\//.test(id),
    log: (id: string) => form?.has(id),
  }
  return Object.entries(tests).map(([name, test], at) => ({
    name,
    test: (id: string) => !ALONE.includes(id) && test(id) === true,
    priority: 10 - at,
  }))
}

/**
 * Runs a build without writing files. Returns a function that lists all modules that the given screens load
 * up front.
 */
async function readScreens(plugins: PluginOption[]): Promise<(screens: string[]) => Set<string>> {
  const built = await build({
    configFile: false,
    logLevel: 'error',
    plugins,
    build: {
      write: false,
      minify: false,
      rolldownOptions: {
        input: join(SRC, ENTRY),
        treeshake: { manualPureFunctions: ['z', 'endpoint'] },
      },
    },
  })
  if (!('output' in built)) throw new Error('the first build has more than one output')
  const chunks = new Map(
    built.output.flatMap((chunk) => (chunk.type === 'chunk' ? [[chunk.fileName, chunk]] : [])),
  )
  return (screens) => {
    const files = new Set(
      screens.map((screen) => {
        const file = [...chunks.values()].find(({ moduleIds }) => moduleIds.includes(join(SRC, screen)))
        if (!file) throw new Error(`${screen} is in no script`)
        return file.fileName
      }),
    )
    // This list grows during the loop.
    for (const file of files) for (const name of chunks.get(file)?.imports ?? []) files.add(name)
    return new Set([...files].flatMap((file) => chunks.get(file)?.moduleIds ?? []))
  }
}
