import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { browserEndpoints } from './scripts/browser-endpoints.ts'

/** What every page needs, in one file: small files compress badly. */
const BASE = [
  /node_modules\/(react|react-dom|scheduler|react-router|zod|cookie)\//,
  /src\/platform\/(ui\/(Logo|PageTitle|Toast\.|Button|FormBoundary|draft|interruption)|api|workspace)/,
  /src\/kernel\/(outcome|endpoint|text|id)/,
  /src\/features\/(site\/paths|accounts\/(account|client|inactivity))/,
]
/** What signing in and up needs, and the dashboard does not. */
const FORM =
  /src\/platform\/ui\/(Field|PublicShell|plain-form)\.|accounts\/(GoogleButton|Consent|public-page)|site\/address/

/** Small rules that most screens share, and what draws icons: each file of its own would be named in the public pages' list of what is loaded later. */
const RULES = [
  /lucide-react\/dist\/esm\/(?!icons)/,
  /src\/kernel\/(calendar-day|duration|isolate|money|month|archived)\./,
  /icons\/(check|x|plus|minus|chevron-down|triangle-alert)\./,
  /src\/platform\/ui\/(ToastCard|Notice)/,
]

/** What the dashboard needs, and most signed-in pages with it: one file instead of thirty. */
const HOME = [
  /features\/(students|tutors|sessions|schedules|connections|workspaces|notices)\/client\.web/,
  /features\/(students\/student|tutors\/tutor|accounts\/profile|sessions\/(session|confirmation|family-choice))\./,
  /features\/(dashboard\/(dashboard|client\.web|UpcomingSection)|schedules\/LastTimeSection)\./,
  /platform\/ui\/(Card|Skeleton|Empty|Badge|late|money|reopen|width)\./,
  /icons\/(chevron-right|mic|user-plus|users|graduation-cap|chart-column)\./,
  /node_modules\/@tanstack\//,
]
/** What the dashboard shows as soon as there are sessions. */
const MONTH = [
  /features\/dashboard\/(MonthCard|RecentRows|BesideMonth|DueSection)\./,
  /features\/(payments\/(client\.web|balance|balance-text)|sessions\/(SessionRow|standing-text))\./,
  /features\/schedules\/parts\/OccurrenceAnswers\./,
  /platform\/ui\/(Folded|Ticks|LogRow|RowLink|ListField)\./,
]
/** What is waiting for an answer. */
const WAITING = [
  /features\/sessions\/(ToConfirmCard|SentBackCard|AnswerList)\./,
  /features\/payments\/WaitingPaymentsCard\./,
  /features\/connections\/(OfferCard|PairsCard)\./,
]
/** What keeps the app on this device, fetched after the first paint. */
const DEVICE = /main\/device\.web|platform\/copy\.web|sessions\/waiting\.web|node_modules\/idb/

const isOneOf = (parts: RegExp[], id: string) => parts.some((part) => part.test(id))

/** The browser half. `vite build` makes the app; `vite build --ssr` makes the script that writes the public pages. */
export default defineConfig(({ isSsrBuild }) => ({
  plugins: [tailwindcss(), react(), browserEndpoints()],
  build: {
    outDir: 'build/client',
    modulePreload: { polyfill: false },
    target: 'es2023',
    assetsInlineLimit: 0,
    manifest: !isSsrBuild,
    rolldownOptions: isSsrBuild
      ? {}
      : {
          input: ['index.html', 'demo.html'],
          treeshake: { manualPureFunctions: ['z', 'endpoint'] },
          output: {
            codeSplitting: {
              groups: [
                // Runs before every other module of its page.
                { name: 'seal', test: /browser-demo\/seal/, priority: 4 },
                { name: 'base', test: (id: string) => isOneOf(BASE, id), priority: 3 },
                { name: 'form', test: FORM, priority: 1 },
                { name: 'home', test: (id: string) => isOneOf(HOME, id), priority: 2 },
                { name: 'month', test: (id: string) => isOneOf(MONTH, id), priority: 1.5 },
                { name: 'waiting', test: (id: string) => isOneOf(WAITING, id), priority: 1.4 },
                { name: 'device', test: DEVICE, priority: 2 },
                { name: 'rules', test: (id: string) => isOneOf(RULES, id), priority: 2 },
              ],
            },
          },
        },
  },
}))
