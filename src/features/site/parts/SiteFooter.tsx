import { LogoIcon } from '#platform/ui/Logo.tsx'
import { paths } from '../paths.ts'

const LINKS = [
  [paths.help, 'Help'],
  [paths.contact, 'Contact'],
  [paths.verify, 'Verify'],
  [paths.terms, 'Terms'],
  [paths.privacy, 'Privacy'],
] as const

export function SiteFooter() {
  return (
    <footer className="border-t border-line">
      <div className="mx-auto flex max-w-site flex-col gap-4 px-[var(--gutter)] py-8 sm:flex-row sm:items-center sm:justify-between">
        <p className="flex items-center gap-2.5">
          <LogoIcon size={28} />
          <span className="disp text-[1.125rem]">Tutorlog</span>
        </p>
        <nav className="-mx-2 flex flex-wrap gap-1 text-[.9375rem]" aria-label="Footer">
          {LINKS.map(([path, label]) => (
            <a
              key={path}
              href={path}
              className="inline-flex min-h-11 items-center px-2 text-ink-2 underline-offset-4 hover:text-ink hover:underline"
            >
              {label}
            </a>
          ))}
        </nav>
      </div>
    </footer>
  )
}
