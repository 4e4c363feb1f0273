import { Copy, ExternalLink } from 'lucide-react'
import { lazy, Suspense } from 'react'
import { IconButton } from '#platform/ui/Button.tsx'
import { Disclosure } from '#platform/ui/Disclosure.tsx'
import { useToast } from '#platform/ui/Toast.tsx'
import type { ShownWay } from './payment-way.ts'

const QrCode = lazy(() => import('#platform/ui/QrCode.tsx'))

/**
 * One payment option, as a family sees it. With `folds`, account details start out collapsed, so that a list
 * of options is easy to scan.
 */
export function PayWay({ shown, folds = false }: { shown: ShownWay; folds?: boolean }) {
  const { title, link, lines, text, code, note } = shown
  const isAccount = lines.length > 0
  if (isAccount && folds)
    return (
      <Disclosure className="px-5 py-2" title={<span className="font-semibold">{title}</span>}>
        <div className="pt-1 pb-3">
          <Account shown={shown} />
        </div>
      </Disclosure>
    )
  return (
    <div className="px-5 py-3">
      <div className="flex min-h-11 flex-wrap items-center justify-between gap-x-4 gap-y-1">
        <h3 className="leading-snug font-semibold">{title}</h3>
        {link && !code && (
          <a className="btn btn-s" href={link.href} target="_blank" rel="noopener noreferrer">
            {link.label}
            <ExternalLink className="i" aria-hidden="true" />
            <span className="sr-only">(in a new tab)</span>
          </a>
        )}
      </div>
      {text && <p className="whitespace-pre-line [overflow-wrap:anywhere]">{text}</p>}
      {isAccount ? <Account shown={shown} /> : note && <p className="help">{note}</p>}
    </div>
  )
}

function Account({ shown: { lines, code, link, note } }: { shown: ShownWay }) {
  return (
    <div className="grid gap-x-8 gap-y-4 md:grid-cols-[minmax(0,24rem)_auto] md:justify-between">
      <div>
        <dl className="grid gap-1">
          {lines.map((line) => (
            <Line key={line.label} {...line} />
          ))}
        </dl>
        {note && <p className="help mt-2">{note}</p>}
        {code && link && (
          <a className="btn btn-s mt-3 hidden! pointer-coarse:inline-flex!" href={link.href}>
            {link.label}
          </a>
        )}
      </div>
      {code && (
        <figure className="justify-self-center">
          <Suspense fallback={<div className="sk size-[260px]" />}>
            <QrCode text={code.payload} label={code.label} isSwiss={code.isSwiss} />
          </Suspense>
          <figcaption className="help mt-1 text-center">Scan it with your banking app</figcaption>
        </figure>
      )}
    </div>
  )
}

function Line({ label, value, copy }: ShownWay['lines'][number]) {
  const toast = useToast()
  const copyIt = async () => {
    try {
      await navigator.clipboard.writeText(copy)
      toast.success('Copied!', `${label} copied to clipboard`)
    } catch {
      toast.error('Error', 'This could not be copied. Select the text and copy it yourself.')
    }
  }
  return (
    <div className="grid min-h-11 grid-cols-[minmax(0,1fr)_auto] content-center gap-x-3">
      <dt className="k self-end">{label}</dt>
      <dd className="contents">
        <bdi className="num col-start-1 [overflow-wrap:anywhere]">{value}</bdi>
        <IconButton
          className="col-start-2 row-span-2 row-start-1 self-center"
          label={`Copy ${label}`}
          onClick={() => void copyIt()}
        >
          <Copy className="size-[18px]" aria-hidden="true" />
        </IconButton>
      </dd>
    </div>
  )
}
