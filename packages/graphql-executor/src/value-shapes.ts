import {
  type GraphQLAbstractType,
  type GraphQLObjectType,
  type GraphQLOutputType,
  isAbstractType,
  isLeafType,
  isListType,
  isNonNullType,
} from 'graphql';
import { type LeafSerializer, type LeafWriter, leafWriter } from './leaf-serializers.ts';

interface Shape {
  readonly nonNull: boolean;
}

export interface LeafShape extends Shape {
  readonly kind: 'leaf';
  readonly write: LeafWriter;
}

export interface ListShape extends Shape {
  readonly kind: 'list';
  readonly item: ValueShape;
}

export interface ObjectShape extends Shape {
  readonly kind: 'object';
  readonly type: GraphQLObjectType;
}

export interface AbstractShape extends Shape {
  readonly kind: 'abstract';
  readonly type: GraphQLAbstractType;
}

/** An output type in the form that completing a value needs, so that no value looks at the schema again. */
export type ValueShape = LeafShape | ListShape | ObjectShape | AbstractShape;

/** Shapes of output types, each computed once. */
export class ValueShapes {
  readonly #serializers: Readonly<Record<string, LeafSerializer>>;
  readonly #shapes = new WeakMap<GraphQLOutputType, ValueShape>();

  constructor(serializers: Readonly<Record<string, LeafSerializer>>) {
    this.#serializers = serializers;
  }

  of(type: GraphQLOutputType): ValueShape {
    const known = this.#shapes.get(type);
    if (known !== undefined) return known;
    const shape = isNonNullType(type) ? { ...this.of(type.ofType), nonNull: true } : this.#nullable(type);
    this.#shapes.set(type, shape);
    return shape;
  }

  #nullable(type: GraphQLOutputType): ValueShape {
    const nonNull = false;
    if (isListType(type)) return { kind: 'list', nonNull, item: this.of(type.ofType) };
    if (isLeafType(type)) return { kind: 'leaf', nonNull, write: leafWriter(type, this.#serializers) };
    if (isAbstractType(type)) return { kind: 'abstract', nonNull, type };
    return { kind: 'object', nonNull, type: type as GraphQLObjectType };
  }
}
