import { TextField } from '#platform/ui/Field.tsx'
import { PageTitle } from '#platform/ui/PageTitle.tsx'
import { PublicShell } from '#platform/ui/PublicShell.tsx'
import { SiteFooter } from './parts/SiteFooter.tsx'
import { PAGE_CHECKER, paths } from './paths.ts'

/** Takes the code from a printed statement. It works without signing in and without JavaScript. */
export function VerifyPage() {
  return (
    <>
      <PublicShell>
        <PageTitle
          title="Check a statement"
          subtitle="The code at the bottom of a statement shows whether it’s genuine, and which figures both sides confirmed."
        />
        <form className="mt-6 grid gap-4" action={`${paths.verify}/code`}>
          <TextField
            label="Code"
            name="code"
            className="num uppercase"
            required
            autoComplete="off"
            autoCapitalize="characters"
            spellCheck={false}
            help="Ten letters and digits, such as 4HJ7K-QM2XR. Spaces, dashes and case don’t matter."
          />
          <button type="submit" className="btn btn-p">
            Check code
          </button>
        </form>
        <h2 className="mt-10">Check the file itself</h2>
        <p className="mt-2 text-ink-2">
          The PDF of a closed month proves itself. This checker is one file that works without us, even
          offline.
        </p>
        <p className="mt-1 flex flex-wrap gap-x-6">
          <a className="link inline-flex min-h-11 items-center" href={PAGE_CHECKER}>
            Open the checker
          </a>
          <a
            className="link inline-flex min-h-11 items-center"
            href={PAGE_CHECKER}
            download="Tutorlog checker.html"
          >
            Save it for later
          </a>
        </p>
      </PublicShell>
      <SiteFooter />
    </>
  )
}
