// Written by `cloister types --from`. Do not edit.
import type { Typed, TypedDocument } from '@cloister/openapi'

/** The operations of the document: the schemas of their routes. */
export interface Operations {
  /** Lists books. */
  listBooks: {
    schema: {
      querystring: Typed<{ limit: number; tags?: string[] }>
      headers: Typed<{ 'accept-language'?: string }>
      response: {
        '200': { content: { 'application/json': { schema: Typed<Inputs['Book'][]> } } }
        '4xx': { content: { 'application/json': { schema: Typed<Inputs['Problem']> } } }
      }
    }
  }
  /** Adds a book. */
  addBook: {
    schema: {
      headers: Typed<{ 'accept-language'?: string }>
      body: { content: { 'application/json': { schema: Typed<Parsed['NewBook']> } } }
      response: {
        '201': { content: { 'application/json': { schema: Typed<Inputs['Book']> } } }
        '4xx': { content: { 'application/json': { schema: Typed<Inputs['Problem']> } } }
      }
    }
  }
  /** Reads a book. */
  getBook: {
    schema: {
      params: Typed<{ id: number }>
      response: {
        '200': { content: { 'application/json': { schema: Typed<Inputs['Book']> } } }
        '4xx': { content: { 'application/json': { schema: Typed<Inputs['Problem']> } } }
      }
    }
  }
  /** Removes a book. */
  removeBook: {
    schema: {
      params: Typed<{ id: number }>
      response: {
        '4xx': { content: { 'application/json': { schema: Typed<Inputs['Problem']> } } }
        '204': Typed<null | undefined>
      }
    }
  }
}

/** Shared schemas, as handlers get them. */
export interface Parsed {
  NewBook: { title: string; year: number | null; tags: string[] }
}

/** Shared schemas, as handlers send them. */
export interface Inputs {
  Book: { id: number; title: string; year?: number | null | undefined; tags?: string[] | undefined }
  Problem: { code: number; message: string }
}

/** The document, for `implement`. */
export const document: TypedDocument<Operations, 'token'> = {
  "openapi": "3.1.0",
  "info": {
    "title": "Library",
    "version": "1.0.0"
  },
  "servers": [
    {
      "url": "/v1"
    }
  ],
  "tags": [
    {
      "name": "books",
      "description": "What the library has"
    }
  ],
  "paths": {
    "/books": {
      "parameters": [
        {
          "$ref": "#/components/parameters/Language"
        }
      ],
      "get": {
        "operationId": "listBooks",
        "summary": "Lists books.",
        "tags": [
          "books"
        ],
        "parameters": [
          {
            "name": "limit",
            "in": "query",
            "schema": {
              "type": "integer",
              "minimum": 1,
              "maximum": 100,
              "default": 20
            }
          },
          {
            "name": "tags",
            "in": "query",
            "explode": false,
            "schema": {
              "type": "array",
              "items": {
                "type": "string"
              }
            }
          }
        ],
        "responses": {
          "200": {
            "description": "The books",
            "content": {
              "application/json": {
                "schema": {
                  "type": "array",
                  "items": {
                    "$ref": "#/components/schemas/Book"
                  }
                }
              }
            }
          },
          "4XX": {
            "$ref": "#/components/responses/Problem"
          }
        }
      },
      "post": {
        "operationId": "addBook",
        "summary": "Adds a book.",
        "tags": [
          "books"
        ],
        "security": [
          {
            "token": [
              "books"
            ]
          }
        ],
        "requestBody": {
          "required": true,
          "content": {
            "application/json": {
              "schema": {
                "$ref": "#/components/schemas/NewBook"
              },
              "examples": {
                "flatland": {
                  "value": {
                    "title": "Flatland",
                    "year": 1884
                  }
                }
              }
            }
          }
        },
        "responses": {
          "201": {
            "description": "The book",
            "headers": {
              "location": {
                "schema": {
                  "type": "string",
                  "format": "uri-reference"
                }
              }
            },
            "content": {
              "application/json": {
                "schema": {
                  "$ref": "#/components/schemas/Book"
                }
              }
            }
          },
          "4XX": {
            "$ref": "#/components/responses/Problem"
          }
        }
      }
    },
    "/books/{id}": {
      "parameters": [
        {
          "name": "id",
          "in": "path",
          "required": true,
          "schema": {
            "type": "integer"
          }
        }
      ],
      "get": {
        "operationId": "getBook",
        "summary": "Reads a book.",
        "tags": [
          "books"
        ],
        "responses": {
          "200": {
            "description": "The book",
            "content": {
              "application/json": {
                "schema": {
                  "$ref": "#/components/schemas/Book"
                }
              }
            }
          },
          "4XX": {
            "$ref": "#/components/responses/Problem"
          }
        }
      },
      "delete": {
        "operationId": "removeBook",
        "summary": "Removes a book.",
        "tags": [
          "books"
        ],
        "security": [
          {
            "token": [
              "books"
            ]
          }
        ],
        "responses": {
          "204": {
            "description": "It is gone"
          },
          "4XX": {
            "$ref": "#/components/responses/Problem"
          }
        }
      }
    }
  },
  "components": {
    "parameters": {
      "Language": {
        "name": "accept-language",
        "in": "header",
        "schema": {
          "type": "string",
          "maxLength": 100
        }
      }
    },
    "responses": {
      "Problem": {
        "description": "What is wrong",
        "content": {
          "application/json": {
            "schema": {
              "$ref": "#/components/schemas/Problem"
            }
          }
        }
      }
    },
    "schemas": {
      "NewBook": {
        "type": "object",
        "required": [
          "title"
        ],
        "additionalProperties": false,
        "properties": {
          "title": {
            "type": "string",
            "minLength": 1
          },
          "year": {
            "type": [
              "integer",
              "null"
            ],
            "default": null
          },
          "tags": {
            "type": "array",
            "items": {
              "type": "string"
            },
            "default": []
          }
        }
      },
      "Book": {
        "type": "object",
        "required": [
          "id",
          "title"
        ],
        "properties": {
          "id": {
            "type": "integer"
          },
          "title": {
            "type": "string"
          },
          "year": {
            "type": [
              "integer",
              "null"
            ]
          },
          "tags": {
            "type": "array",
            "items": {
              "type": "string"
            }
          }
        }
      },
      "Problem": {
        "type": "object",
        "required": [
          "code",
          "message"
        ],
        "properties": {
          "code": {
            "type": "integer"
          },
          "message": {
            "type": "string"
          }
        }
      }
    },
    "securitySchemes": {
      "token": {
        "type": "http",
        "scheme": "bearer"
      }
    }
  }
}
