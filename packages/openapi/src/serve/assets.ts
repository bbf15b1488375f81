import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'

import { OpenApiError } from '../errors.ts'
import { foldersOf } from '../packages.ts'
import type { Page, PageFile } from './pages.ts'

/** A file of a page on disk. */
export interface Asset {
  readonly file: PageFile
  readonly location: string
  /** For the attribute `integrity` (Subresource Integrity). */
  readonly integrity: string
}

/** Returns the folder of a package of the application, or undefined when it is not installed. */
export function findPackage(name: string): string | undefined {
  return foldersOf(name)
    .map((modules) => path.join(modules, name))
    .find((one) => existsSync(path.join(one, 'package.json')))
}

/**
 * Finds the files of a page in the packages of the application.
 *
 * @throws OpenApiError `CLO_ERR_OPENAPI_PACKAGE` when the package is not installed
 */
export function findAssets({ packageName, files }: Page, ui: string): Asset[] {
  const folder = findPackage(packageName)
  if (folder === undefined) {
    throw new OpenApiError(
      'CLO_ERR_OPENAPI_PACKAGE',
      `ui: '${ui}' needs the package ${packageName}, which is not installed: npm install ${packageName}; ` +
        'or choose another page with the option ui, or none with ui: false',
    )
  }
  return files.map((file) => readAsset(file, folder, packageName))
}

function readAsset(file: PageFile, folder: string, packageName: string): Asset {
  const location = path.join(folder, file.path)
  if (!existsSync(location)) {
    throw new OpenApiError(
      'CLO_ERR_OPENAPI_PACKAGE',
      `${packageName} has no file ${file.path}; install another version of it, or use ui: false`,
    )
  }
  const digest = createHash('sha384').update(readFileSync(location)).digest('base64')
  return { file, location, integrity: `sha384-${digest}` }
}
